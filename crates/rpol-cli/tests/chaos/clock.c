/* A wall clock that is CHAOS_HOURS off in every other second, for the process that loads this first. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int code = (int)syscall(SYS_clock_gettime, clock, time);
    const char *hours = getenv("CHAOS_HOURS");
    if (code == 0 && clock == CLOCK_REALTIME && hours && time->tv_sec % 2 == 0)
        time->tv_sec += 3600 * atol(hours);
    return code;
}
