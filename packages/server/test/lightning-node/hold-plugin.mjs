// A plugin of Core Lightning for the tests: what arrives for the node waits while the file `hold` is in the folder that
// is named on the command line, and is refused once that file says `fail`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20
/** A temporary failure of the node (BOLT 4). */
const FAILURE = '2002'
const HELD = join(process.argv[2], 'hold')
const MANIFEST = { dynamic: true, options: [], rpcmethods: [], subscriptions: [], hooks: [{ name: 'htlc_accepted' }] }

function answer(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
}

/** What the file says; null without one. */
function heldHow() {
  try {
    return readFileSync(HELD, 'utf8').trim()
  } catch {
    return null
  }
}

async function answerOnceReleased(id) {
  let how = heldHow()
  for (; how !== null && how !== 'fail'; how = heldHow()) await sleep(PAUSE_MS)
  answer(id, how === 'fail' ? { result: 'fail', failure_message: FAILURE } : { result: 'continue' })
}

let text = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (part) => {
  text += part
  const messages = text.split('\n\n')
  text = messages.pop() ?? ''
  for (const { id, method } of messages.filter((one) => one.trim() !== '').map((one) => JSON.parse(one))) {
    if (method === 'getmanifest') answer(id, MANIFEST)
    else if (method === 'init') answer(id, {})
    else if (method === 'htlc_accepted') void answerOnceReleased(id)
  }
})
process.stdin.on('end', () => process.exit(0))
