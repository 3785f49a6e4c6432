import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, 'regressions.txt')

/** The seeds that failed before; every run of the tests plays them. */
export function readRegressions(): number[] {
  const lines = readFileSync(FILE, 'utf8').split('\n')
  return lines.flatMap((line) => (/^\d+/.test(line) ? [Number.parseInt(line, 10)] : []))
}

/** Adds a failed seed permanently. */
export function writeRegression(seed: number): void {
  if (readRegressions().includes(seed)) return
  writeFileSync(FILE, `${readFileSync(FILE, 'utf8').trimEnd()}\n${seed}\n`)
}
