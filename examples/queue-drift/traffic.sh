#!/bin/sh
# The queue of ../queue; the requests a second depend on when it is: twice as many from trial 50 on.
rate=1000
if [ "$RPOL_TRIAL" -ge 50 ]; then rate=2000; fi
exec awk -v rate="$rate" -v workers="$1" -v batch_ms="$2" -v cache_mb="$3" -f ../queue/queue.awk
