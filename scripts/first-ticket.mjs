// npm run first-ticket -- <address of the site> [--pay <command>]: buys a ticket of one line as a player does, and waits
// until it is paid. The command gets the bitcoin address and the amount in BTC as its last two arguments; without one the
// demo's test wallet pays.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

/** How many times the site is asked whether it is paid, and the pause in between, in ms. */
const ASKED = 120
const PAUSE_MS = 500

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pay: { type: 'string' } } })
const [site] = positionals
if (site === undefined) throw new Error('Name the address of the site, like http://localhost:3000.')
const player = `first.player.${Date.now()}@example.org`
const password = 'Correct-Horse-7-Battery'

const account = await call('POST', '/auth/register', { email: player, email_confirm: player, password })
const bearer = account.access_token
const game = (await call('GET', '/games')).find((one) => one.is_on_sale)
if (game === undefined) throw new Error('No game is on sale. The bankroll has to carry one: operator doctor.')
const order = await call('POST', '/payment', orderOf(game), bearer)
const id = order.transaction_id
const { uri } = await call('GET', `/checkout/${id}`)
const [, address, btc] = /^bitcoin:(\w+)\?amount=([\d.]+)/i.exec(uri)
process.stdout.write(`One line of ${game.name} costs ${btc} BTC, to ${address}.\n`)
if (values.pay === undefined) await call('POST', '/dev/pay', { transaction_id: id })
else pay(values.pay)
for (
  let asked = 1;
  (await call('GET', `/payment?transaction_id=${id}`, undefined, bearer)).status !== 'PAID';
  asked += 1
) {
  if (asked === ASKED) throw new Error('The payment is not confirmed yet. See the log of the worker.')
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
process.stdout.write(
  `Sold: order ${id} is paid, and its line is in the draw. Log in as ${player}, password ${password}.\n`,
)

/** One line of a game, in its next draw. */
function orderOf({ key, sets, advanced_ticket_purchase: { days } }) {
  const numbers = Array.from({ length: sets[0].n }, (_, index) => index + 1)
  return { type: 'lotto', key, days: [days[0].day], weeks: 1, tickets: [{ isLuckyDip: false, numbers }] }
}

function pay(command) {
  const [program, ...args] = command.split(' ')
  const { status } = spawnSync(program, [...args, address, btc], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} failed.`)
}

async function call(method, path, body, token) {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const request = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const answer = await fetch(`${site}/api/v1${path}`, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
