import { Worker } from 'node:worker_threads'
import type { Options } from '@node-rs/argon2'

/** A request to a thread. */
export type HashTask =
  | { readonly kind: 'hash'; readonly text: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly text: string; readonly hash: string }

/** Its answer: the hash, or whether the text is the one that was hashed. */
export type HashAnswer = { readonly value: string | boolean } | { readonly error: string }

/** Idle threads of this process. There are as many as were ever needed at the same time. */
const idle: Worker[] = []

/** Hashes a text with argon2id in a thread of its own. @throws Error if the parameters are refused */
export async function hashInThread(text: string, options: Options): Promise<string> {
  return String(await ask({ kind: 'hash', text, options }))
}

/** Whether a text is the one that was hashed. @throws Error if the hash is not argon2's */
export async function verifyInThread(hash: string, text: string): Promise<boolean> {
  return (await ask({ kind: 'verify', text, hash })) === true
}

async function ask(task: HashTask): Promise<string | boolean> {
  const thread = idle.pop() ?? new Worker(new URL('./password-thread.ts', import.meta.url), { execArgv: [] })
  thread.ref() // the process does not end while a caller waits, and does not wait for an idle thread
  const answer = await new Promise<HashAnswer>((resolve, reject) => {
    const died = (status: number): void => reject(new Error(`a thread that hashes ended with status ${status}`))
    thread.once('error', reject).once('exit', died)
    thread.once('message', (message: HashAnswer) => {
      thread.off('error', reject).off('exit', died)
      resolve(message)
    })
    thread.postMessage(task)
  })
  thread.unref()
  idle.push(thread)
  if ('error' in answer) throw new Error(answer.error)
  return answer.value
}
