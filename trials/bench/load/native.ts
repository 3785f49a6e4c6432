// The computer's native speed: a loop in C over masks, and SHA-256 as reported by OpenSSL.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Counts random masks by the number of bits they share with one mask, and prints the nanoseconds. */
const POPCOUNT = `
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  size_t count = argc > 1 ? strtoull(argv[1], 0, 10) : 0;
  uint64_t *masks = malloc(count * sizeof *masks), state = 88172645463325252ull, drawn = 0x0000000900410021ull;
  uint64_t classes[65] = {0};
  struct timespec before, after;
  if (masks == 0) return 1;
  for (size_t i = 0; i < count; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    masks[i] = state;
  }
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (size_t i = 0; i < count; i++) classes[__builtin_popcountll(masks[i] & drawn)]++;
  clock_gettime(CLOCK_MONOTONIC, &after);
  for (int i = 0; i < 65; i++) fprintf(stderr, "%llu ", (unsigned long long)classes[i]);
  printf("%lld", (after.tv_sec - before.tv_sec) * 1000000000ll + after.tv_nsec - before.tv_nsec);
  return 0;
}
`

/** Milliseconds of a plain loop in C (gcc -O2) over `entries` masks; null without gcc. */
export async function popcountMs(entries: number): Promise<number | null> {
  const folder = await mkdtemp(join(tmpdir(), 'fairball-popcount-'))
  try {
    const [source, program] = [join(folder, 'popcount.c'), join(folder, 'popcount')]
    await writeFile(source, POPCOUNT)
    await run('gcc', ['-O2', '-o', program, source])
    const { stdout } = await run(program, [String(entries)])
    return Number(stdout) / 1e6
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** SHA-256 hashes a second for messages of `octets` octets, by `openssl speed`; null without openssl. */
export async function sha256PerSecond(octets: number): Promise<number | null> {
  try {
    const { stdout } = await run('openssl', ['speed', '-mr', '-seconds', '2', '-bytes', String(octets), 'sha256'])
    const octetsPerSecond = Number(/^\+F:\d+:sha256:([\d.]+)/m.exec(stdout)?.[1])
    if (!(octetsPerSecond > 0)) throw new Error(`openssl speed reported nothing: ${stdout}`)
    return octetsPerSecond / octets
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
