// npm run make-secrets: writes the files of secrets that compose.yaml names, those that can be made by chance. What is there already stays as it is.
//   node scripts/make-secrets.cjs [folder]
'use strict'

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./bootstrap.cjs')

const folder = path.resolve(process.argv[2] || path.join(ROOT, 'deploy', 'secrets'))
/** What only the operator knows, with what it looks like. */
const TO_WRITE = {
  smtp_url: 'smtps://user:password@mail.example',
  bitcoin_rpc_url: 'http://user:password@bitcoin-node:8332',
  bitcoin_rpc_url_web:
    'http://web:password@bitcoin-node:8332 (a user that cannot spend: docs/operations.md, section 2)',
  'provider/bitcoin_xpub': '[d34db33f/84h/0h/0h]xpub6… (with PAYMENTS=bitcoin-core)',
}

// Nobody but the owner of this computer enters the folder; the files in it are read by the users inside of the containers.
fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
fs.mkdirSync(path.join(folder, 'provider'), { recursive: true, mode: 0o755 })
const password = made('database_password', randomBytes(24).toString('hex'))
made('database_url', 'postgres://fairball:' + password + '@database/fairball')
const webPassword = made('database_password_web', randomBytes(24).toString('hex'))
made('database_url_web', 'postgres://web:' + webPassword + '@database/fairball')
made('secret_key', randomBytes(32).toString('hex'))
made('metrics_token', randomBytes(32).toString('hex'))
for (const name of Object.keys(TO_WRITE))
  if (!fs.existsSync(path.join(folder, name)))
    process.stdout.write('Write ' + path.join(folder, name) + ' yourself, like ' + TO_WRITE[name] + '\n')

/** @returns {string} what the file holds then */
function made(name, text) {
  const file = path.join(folder, name)
  try {
    fs.writeFileSync(file, text + '\n', { flag: 'wx', mode: 0o400 })
    fs.chmodSync(file, 0o444) // whatever this user's umask says
    process.stdout.write('Made ' + file + '\n')
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  return fs.readFileSync(file, 'utf8').trim()
}
