# A service in front of a slow database, simulated request by request.
#
# Requests come at random. A request found in the cache is answered at once. The others are collected for a
# window of `batch_ms` and sent to the database together by the next free worker; one that would have to wait for
# longer than `patience` seconds is turned away. Every run draws other requests, so every number is noisy.
#
# In: -v workers= -v batch_ms= -v cache_mb=, and -v rate= (requests a second) where it is not 1500
# Out: one JSON object: what an hour costs, the 99th percentile of the latency, the share turned away.
BEGIN {
    requests = 5000; patience = 0.25; window = batch_ms / 1000
    if (!rate) rate = 1500
    srand(ENVIRON["RPOL_TRIAL"] + 1); rand()
    hit = 0.7 * (1 - exp(-cache_mb / 250))
    for (w = 1; w <= workers; w++) free[w] = 0

    now = 0; closes = 0; waiting = 0; batches = 0; errors = 0
    for (r = 1; r <= requests; r++) {
        now += -log(1 - rand()) / rate
        if (waiting && now > closes) send()
        if (rand() < hit) { note(0.001 - 0.001 * log(1 - rand())); continue }
        if (!waiting) closes = now + window
        arrival[++waiting] = now
    }
    if (waiting) send()

    cost = workers + 0.006 * cache_mb + 0.03 * batches / now
    printf "{\"cost\": %.4f, \"p99_ms\": %.2f, \"error_rate\": %.5f}\n", cost, percentile(0.99), errors / requests
}

# The batch goes to the worker that is free first.
function send(    w, first, start, done, i) {
    first = 1
    for (w = 2; w <= workers; w++) if (free[w] < free[first]) first = w
    start = closes > free[first] ? closes : free[first]
    if (start - closes > patience) { errors += waiting; waiting = 0; return }
    done = start + (0.004 + 0.0035 * waiting) * (0.7 + 0.3 * -log(1 - rand()))
    free[first] = done
    for (i = 1; i <= waiting; i++) note(done - arrival[i])
    waiting = 0; batches++
}

# Latencies are counted in bins of a quarter of a millisecond.
function note(seconds,    bin) { bin = int(seconds * 4000); bins[bin]++; noted++; if (bin > top) top = bin }

function percentile(share,    bin, seen) {
    for (bin = 0; bin <= top; bin++) { seen += bins[bin]; if (seen >= share * noted) return (bin + 1) / 4 }
}
