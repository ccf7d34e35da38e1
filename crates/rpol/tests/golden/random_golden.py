"""random.json: the first words of some streams, from ChaCha8 and splitmix64 written out here."""

from emit import emit

M32, M64 = 2**32 - 1, 2**64 - 1


def mix(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & M64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & M64
    return z ^ (z >> 31)


def splitmix64(seed, count):
    return [mix((seed + 0x9E3779B97F4A7C15 * (i + 1)) & M64) for i in range(count)]


def halves(words64):
    return [half for w in words64 for half in (w & M32, w >> 32)]


def quarter_round(s, a, b, c, d):
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[x] = (s[x] + s[y]) & M32
        s[z] ^= s[x]
        s[z] = (s[z] << turn | s[z] >> (32 - turn)) & M32


def chacha8_block(key, counter, stream):
    constants = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start = constants + halves(key) + halves([counter, stream])
    s = list(start)
    for _ in range(4):
        for i in range(4):
            quarter_round(s, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter_round(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    words = [(x + y) & M32 for x, y in zip(s, start)]
    return [lo | hi << 32 for lo, hi in zip(words[::2], words[1::2])]


def case(seed, stream):
    key = splitmix64(seed, 4)
    words = [w for counter in range(6) for w in chacha8_block(key, counter, stream)]
    # Strings: JSON readers may hold numbers as f64.
    return {"seed": str(seed), "round": str(stream), "words": [str(w) for w in words]}


CASES = [(0, 0), (0, 1), (1, 0), (42, 1000), (M64, M64)]
emit("random.json", [case(seed, stream) for seed, stream in CASES])
