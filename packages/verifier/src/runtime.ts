import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import type { CliWorld } from './cli.ts'

/** The network, the clock, the files and the terminal of this computer. */
export function thisComputer(): CliWorld {
  const { stdout, stderr, env } = process
  return {
    fetch,
    now: () => Math.floor(Date.now() / 1000),
    readFile: (path) => readFile(path, 'utf8'),
    writeFile: (path, text) => writeFile(path, text),
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    colours: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  }
}
