import { createHash, randomInt } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import type { Hash } from '@fairball/domain/protocol/hash'
import type { CliWorld } from './cli.ts'

/** Node's SHA-256, several times as fast as one in JavaScript. */
export const nodeHash: Hash = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return Uint8Array.from(hash.digest())
}

/** The network, files, hash, randomness and terminal of this computer. */
export function thisComputer(): CliWorld {
  const { stdout, stderr, env } = process
  return {
    fetch,
    hash: nodeHash,
    random: (below) => randomInt(below),
    readFile: (path) => readFile(path),
    writeFile: (path, text) => writeFile(path, text),
    write: (text) => void stdout.write(text),
    writeError: (text) => void stderr.write(text),
    colours: stdout.isTTY && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  }
}
