import type { Options } from '@node-rs/argon2'
import * as threads from '../src/modules/identity/password-threads.ts'

/**
 * Replaces password-threads.ts in tests: each hash is computed once in a process. Most tests register with the same
 * password, and their salts follow from the same seed.
 */
const answers = new Map<string, Promise<string | boolean>>()

export async function hashInThread(text: string, options: Options): Promise<string> {
  const { salt, ...cost } = options
  const question = JSON.stringify([text, cost, Buffer.from(salt ?? []).toString('hex')])
  return String(await kept(question, () => threads.hashInThread(text, options)))
}

export async function verifyInThread(hash: string, text: string): Promise<boolean> {
  return (await kept(JSON.stringify([hash, text]), () => threads.verifyInThread(hash, text))) === true
}

function kept(question: string, compute: () => Promise<string | boolean>): Promise<string | boolean> {
  const known = answers.get(question)
  if (known !== undefined) return known
  const answer = compute()
  answers.set(question, answer)
  return answer
}
