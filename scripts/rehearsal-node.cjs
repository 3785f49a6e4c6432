// npm run rehearsal-node: a bitcoin node with a chain of its own, for a rehearsal on one computer (docs/run.md). Its coins
// have no value, and blocks come when they are asked for.
//   node scripts/rehearsal-node.cjs                      starts it, with coins in the wallet `players`
//   node scripts/rehearsal-node.cjs fund                 pays 30 BTC to the payouts' wallet, six blocks deep
//   node scripts/rehearsal-node.cjs pay <address> <btc>  pays as a player does, one block deep
//   node scripts/rehearsal-node.cjs stop
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { provideNode } = require('./bitcoin-node.cjs')
const { fail } = require('./bootstrap.cjs')

const FOLDER = process.env.REHEARSAL_FOLDER || '/var/lib/fairball-rehearsal'
/** As in deploy/rehearsal.env. */
const LOGIN = ['-rpcuser=fairball', '-rpcpassword=rehearsal']
const WHERE = ['-regtest', '-datadir=' + FOLDER].concat(LOGIN)
const PLAYERS = '-rpcwallet=players'
const PAYOUTS = '-rpcwallet=fairball-hot'
/** The first coins of a chain can be spent after a hundred blocks more. */
const FIRST_BLOCKS = '103'
const BANKROLL_BTC = '30'

const bitcoind = provideNode()
const [command = 'start', ...args] = process.argv.slice(2)
const COMMANDS = { start, fund, pay, stop: () => cli('stop') }
if (!Object.hasOwn(COMMANDS, command)) fail('Say start, fund, pay <address> <btc> or stop.')
COMMANDS[command](...args)

function start() {
  fs.mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  const settings = ['-server', '-txindex', '-fallbackfee=0.0001', '-listen=0', '-daemonwait']
  run(bitcoind, WHERE.concat(settings))
  const wallets = JSON.parse(cli('listwalletdir')).wallets.map((one) => one.name)
  if (!wallets.includes('players')) cli('-named', 'createwallet', 'wallet_name=players', 'load_on_startup=true')
  if (cli('getblockcount') === '0') mine(FIRST_BLOCKS)
  process.stdout.write('A bitcoin node of its own chain answers at 127.0.0.1:18443.\n')
}

function fund() {
  const address = cli(PAYOUTS, 'getnewaddress')
  const txid = cli(PLAYERS, 'sendtoaddress', address, BANKROLL_BTC)
  mine('6')
  process.stdout.write(BANKROLL_BTC + ' BTC are in the payouts’ wallet: ' + txid + '\n')
}

function pay(address, btc) {
  const txid = cli(PLAYERS, 'sendtoaddress', address, btc)
  mine('1')
  process.stdout.write('Paid ' + btc + ' BTC to ' + address + ': ' + txid + '\n')
}

function mine(blocks) {
  cli(PLAYERS, 'generatetoaddress', blocks, cli(PLAYERS, 'getnewaddress'))
}

/** @returns {string} what the node answers */
function cli(...words) {
  return run(path.join(path.dirname(bitcoind), 'bitcoin-cli'), WHERE.concat(words)).trim()
}

function run(program, words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) fail(path.basename(program) + ' failed: ' + stderr.trim())
  return stdout
}
