import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'regressions.txt')

/** The seeds that failed once, a line each with what they found; they are played in every run of the tests. */
export function readRegressions(): number[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines.flatMap((line) => (/^\d+/.test(line) ? [Number.parseInt(line, 10)] : []))
}

/** Keeps a seed that failed, for good. */
export function writeRegression(seed: number): void {
  if (readRegressions().includes(seed)) return
  writeFileSync(FILE, `${readFileSync(FILE, 'utf8').trimEnd()}\n${seed}\n`)
}
