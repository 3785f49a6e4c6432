// npm run make-secrets: writes the random secrets among the files that compose.yaml names. Existing files stay
// unchanged.
//   node scripts/make-secrets.cjs [folder]
'use strict'

const { createHmac, randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./bootstrap.cjs')

const folder = path.resolve(process.argv[2] || path.join(ROOT, 'deploy', 'secrets'))
/** Secrets that the operator has to write, with an example. */
const TO_WRITE = {
  smtp_url: 'smtps://user:password@mail.example',
  'provider/bitcoin_xpub': '[d34db33f/84h/0h/0h]xpub6… (with PAYMENTS=bitcoin-core)',
}

// Only this user may enter the folder; the users inside the containers read the files in it.
fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
fs.mkdirSync(path.join(folder, 'provider'), { recursive: true, mode: 0o755 })
const password = made('database_password', randomBytes(24).toString('hex'))
made('database_url', 'postgres://fairball:' + password + '@database/fairball')
const webPassword = made('database_password_web', randomBytes(24).toString('hex'))
made('database_url_web', 'postgres://web:' + webPassword + '@database/fairball')
const consolePassword = made('database_password_console', randomBytes(24).toString('hex'))
made('database_url_console', 'postgres://fairball_console:' + consolePassword + '@database/fairball')
made('secret_key', randomBytes(32).toString('hex'))
made('metrics_token', randomBytes(32).toString('hex'))
made(
  'bitcoin_logins',
  [loginOf('fairball', 'bitcoin_rpc_url'), loginOf('fairball-web', 'bitcoin_rpc_url_web')].join('\n'),
)
for (const name of Object.keys(TO_WRITE))
  if (!fs.existsSync(path.join(folder, name)))
    process.stdout.write('Write ' + path.join(folder, name) + ' yourself, like ' + TO_WRITE[name] + '\n')

/**
 * Makes a login of compose.yaml's bitcoin node. For a node of the operator's the file has its address instead.
 *
 * @returns {string} the line of bitcoin.conf that names it, with a hash of its password
 */
function loginOf(user, file) {
  const password = new URL(made(file, 'http://' + user + ':' + randomBytes(24).toString('hex') + '@bitcoin:8332'))
    .password
  const salt = randomBytes(16).toString('hex')
  return 'rpcauth=' + user + ':' + salt + '$' + createHmac('sha256', salt).update(password).digest('hex')
}

/** @returns {string} the content of the file */
function made(name, text) {
  const file = path.join(folder, name)
  try {
    fs.writeFileSync(file, text + '\n', { flag: 'wx', mode: 0o400 })
    fs.chmodSync(file, 0o444) // regardless of the user's umask
    process.stdout.write('Made ' + file + '\n')
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
