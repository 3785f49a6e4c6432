// Builds the web for the browser and for the server's rendering, and the verifier and the witness for download, if
// their sources changed since the last build.
'use strict'

const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, alone, environment, prepare } = require('./bootstrap.cjs')

const WEB = path.join(ROOT, 'packages', 'web')
/** Where the web offers the verifier and the witness. */
const PROGRAMS = path.join(WEB, 'dist', 'client', 'fairness')
const RESULTS = [
  path.join(PROGRAMS, 'fairball-verify.html'),
  path.join(PROGRAMS, 'fairball-witness.mjs'),
  path.join(WEB, 'dist', 'client', '.vite', 'manifest.json'),
  path.join(WEB, 'dist', 'client', 'licences.txt'),
  path.join(WEB, 'dist', 'client', 'service-worker.js'),
  path.join(WEB, 'dist', 'server', 'entry-server.js'),
]
const STAMP = path.join(WEB, 'dist', 'inputs.sha256')
/** The inputs of the build. */
const INPUTS = [
  'package-lock.json',
  'tsconfig.base.json',
  'packages/contract/package.json',
  'packages/contract/src',
  'packages/domain/package.json',
  'packages/domain/src',
  'packages/ui',
  'packages/verifier',
  'packages/web',
  'packages/witness',
]
const NOT_READ = /(^|\/)(dist|python|node_modules|dev-server\.ts)(\/|$)|\.test\.tsx?$|~$/

/** Builds the web if its inputs changed.
 * @param {string} node the Node to build with
 * @returns {boolean} whether it succeeded
 */
function buildWeb(node) {
  if (isFresh()) return true
  return alone(() => isFresh() || build(node))
}

function isFresh() {
  try {
    return RESULTS.every((file) => fs.existsSync(file)) && fs.readFileSync(STAMP, 'utf8') === hashOfInputs()
  } catch {
    return false
  }
}

function build(node) {
  process.stdout.write('Building the web …\n')
  const hash = hashOfInputs() // first, so that changes during the build make it stale
  fs.rmSync(STAMP, { force: true })
  const vite = path.join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const options = { cwd: WEB, env: environment(node, { NODE_ENV: 'production' }), encoding: 'utf8' }
  const steps = [
    [vite, 'build', '--logLevel', 'warn'],
    [vite, 'build', '--ssr', 'src/entry-server.tsx', '--outDir', 'dist/server', '--logLevel', 'warn'],
    [path.join(ROOT, 'packages', 'verifier', 'build.mjs'), PROGRAMS],
    [path.join(ROOT, 'packages', 'witness', 'build.mjs'), PROGRAMS],
    [path.join(WEB, 'scripts', 'build-service-worker.mjs')],
    [path.join(WEB, 'scripts', 'write-notices.mjs')],
    // Last, because it compresses all files.
    [path.join(WEB, 'scripts', 'compress-assets.mjs')],
  ]
  for (const step of steps) {
    const result = spawnSync(node, step, options)
    if (result.status === 0) continue
    process.stderr.write((result.stdout || '') + (result.stderr || '') + '\nThe web could not be built.\n')
    return false
  }
  fs.writeFileSync(STAMP, hash)
  return true
}

/** One hash over names and contents, in a fixed order. */
function hashOfInputs() {
  const hash = createHash('sha256').update(process.platform)
  for (const input of INPUTS) addToHash(hash, input)
  return hash.digest('hex')
}

function addToHash(hash, name) {
  if (NOT_READ.test(name)) return
  const full = path.join(ROOT, name)
  const found = fs.statSync(full, { throwIfNoEntry: false })
  if (!found) return
  if (found.isDirectory()) {
    for (const entry of fs.readdirSync(full).sort()) addToHash(hash, name + '/' + entry)
    return
  }
  const content = fs.readFileSync(full)
  hash.update(name + '\0' + content.length + '\0').update(content)
}

module.exports = { INPUTS, NOT_READ, buildWeb }

if (require.main === module) process.exit(buildWeb(prepare()) ? 0 : 1)
