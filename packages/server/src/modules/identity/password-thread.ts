// The thread that hashes passwords. It has a lower priority than everything else on the computer: a flood of wrong
// logins must not slow the answers of other calls.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'
import type { HashAnswer, HashTask } from './password-threads.ts'

/** The niceness of the thread: on Linux a priority belongs to a thread, elsewhere it would be the whole process's. */
const GIVES_WAY = 10

if (process.platform === 'linux') {
  try {
    setPriority(GIVES_WAY)
  } catch {
    // A service that may not change it hashes at the usual priority: a slow login is better than none.
  }
}

parentPort?.on('message', (task: HashTask) => parentPort?.postMessage(answerTo(task)))

function answerTo(task: HashTask): HashAnswer {
  try {
    return {
      value: task.kind === 'hash' ? hashSync(task.text, task.options) : verifySync(task.hash, task.text),
    }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
