// Stands in for bitcoin-cli, which Core Lightning asks its bitcoin node through, where there is a bitcoind without one:
// calls the node's JSON-RPC with the given arguments, and ends as bitcoin-cli does.
//   bitcoin-cli.mjs -rpcport=… -datadir=… [-stdin] <method> [argument …]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Longest text that may be a number; hashes and transactions are longer. */
const LONGEST_NUMBER = 15

const options = new Map()
const words = []
for (const word of process.argv.slice(2)) {
  const [, name, value = ''] = words.length === 0 ? (/^-+([^=]+)(?:=(.*))?$/.exec(word) ?? []) : []
  if (name === undefined) words.push(word)
  else options.set(name, value)
}
const typed =
  options.has('stdin') || options.has('stdinrpcpass') ? readFileSync(0, 'utf8').split('\n').filter(Boolean) : []
if (options.has('stdinrpcpass')) options.set('rpcpassword', typed.shift())
const [method, ...params] = [...words, ...typed]

const login = options.has('rpcuser')
  ? `${options.get('rpcuser')}:${options.get('rpcpassword')}`
  : readFileSync(join(options.get('datadir'), 'regtest', '.cookie'), 'utf8')
const answer = await fetch(`http://${options.get('rpcconnect') ?? '127.0.0.1'}:${options.get('rpcport')}/`, {
  method: 'POST',
  headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
  body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params: params.map(valueOf) }),
}).catch((error) => {
  process.stderr.write(`error: ${error.message}\n`)
  process.exit(1)
})
const text = await answer.text()
const { result, error } = JSON.parse(text)
if (error !== null) {
  process.stderr.write(`error code: ${error.code}\nerror message:\n${error.message}\n`)
  process.exit(Math.abs(error.code))
}
// Amounts keep their eight decimals only as the node wrote them.
const [, written = ''] = /^\{"result":(.*),"error":null,"id":1\}\s*$/s.exec(text) ?? []
if (result !== null) process.stdout.write(`${typeof result === 'string' ? result : written}\n`)

/** An argument as the node takes it: numbers and truth values are not texts. */
function valueOf(word) {
  return word.length <= LONGEST_NUMBER && /^(?:-?\d+(?:\.\d+)?|true|false|null|[[{].*)$/.test(word)
    ? JSON.parse(word)
    : word
}
