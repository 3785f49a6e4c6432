// npm run upgrade-test: takes a lottery that the previous release has filled through this version (trials/faults/upgrade.ts).
// The previous release is the newest tag before this commit; it is built once, in .cache/releases.
//   npm run upgrade-test [-- --from v1.2.0] [-- --count N]    --from names a tag or a commit
'use strict'

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { ROOT, environment, fail, prepare } = require('./bootstrap.cjs')
const { buildWeb } = require('./build-web.cjs')

/**
 * The newest tag that this commit comes after.
 * @returns {string | null} null before the first release
 */
function previousRelease() {
  const { status, stdout } = git(['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^'])
  return status === 0 ? stdout.trim() : null
}

/**
 * Runs the trial.
 * @param {string} from a tag or a commit
 * @param {string[]} options those of the trial
 * @returns {boolean} whether nothing was lost
 */
function upgradeFrom(from, options) {
  const node = prepare()
  const release = built(from)
  if (!buildWeb(node)) return false
  const program = [path.join(ROOT, 'trials/faults/upgrade.ts')].concat(options)
  const env = environment(node, { OLD_RELEASE: release })
  return spawnSync(node, program, { cwd: ROOT, env, stdio: 'inherit' }).status === 0
}

/** The folder with a release, installed and built by its own commands. */
function built(from) {
  const { status, stdout } = git(['rev-parse', '--verify', '--quiet', from + '^{commit}'])
  if (status !== 0) fail('There is no ' + from + ' here. Fetch it: git fetch --tags')
  const folder = path.join(ROOT, '.cache', 'releases', stdout.trim())
  const unfinished = folder + '.unfinished'
  if (fs.existsSync(folder)) return folder
  fs.rmSync(unfinished, { recursive: true, force: true })
  fs.mkdirSync(unfinished, { recursive: true })
  run('git', ['archive', '--output', path.join(unfinished, 'release.tar'), stdout.trim()], ROOT)
  run('tar', ['--extract', '--file', 'release.tar'], unfinished)
  run('npm', ['run', 'build'], unfinished)
  fs.renameSync(unfinished, folder)
  return folder
}

function run(program, args, folder) {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) fail(program + ' ' + args[0] + ' failed in ' + folder + '.')
}

function git(args) {
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
}

function main(args) {
  const place = args.indexOf('--from')
  const from = place < 0 ? previousRelease() : args[place + 1]
  if (!from) fail('There is no release before this commit. Name a commit: npm run upgrade-test -- --from <commit>')
  const options = place < 0 ? args : args.slice(0, place).concat(args.slice(place + 2))
  process.exitCode = upgradeFrom(from, options) ? 0 : 1
}

module.exports = { previousRelease, upgradeFrom }

if (require.main === module) main(process.argv.slice(2))
