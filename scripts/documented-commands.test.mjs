import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Every command that a document shows is run by a test, or the table says why not; and what it names exists. */
const ROOT = join(import.meta.dirname, '..')
const read = (file) => readFileSync(join(ROOT, file), 'utf8')
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
  'packages/verifier/python/README.md',
].filter((file) => existsSync(join(ROOT, file)))

const OPERATOR = 'packages/server/src/main/operator-commands.test.ts'
const PACKAGES = 'packages/verifier/src/packages.test.ts'
const VERIFYING = 'packages/verifier/src/documented-commands.test.ts'
const SUPPLY = 'scripts/supply-chain.test.mjs'

/** What covers a command: a test that runs it or what it starts, or the reason why none does. The first row counts. */
const COVERED = [
  {
    is: /^npm (start|test|run (check|dev|test:\w+|lint|types|format|bench|faults|trials|mutation|upgrade-test))\b/,
    because: 'it is how the tests themselves are started',
  },
  { is: /^npm run (-s )?sbom\b/, by: SUPPLY },
  { is: /^npm run licences\b/, by: 'scripts/reuse.test.mjs' },
  { is: /^npm run (build-again|build-hash|build)$/, by: 'scripts/compare-build.test.mjs' },
  { is: /^npm run build-hash -- /, by: 'scripts/compare-build.test.mjs' },
  { is: /^npm run build --workspace packages\/verifier$/, by: VERIFYING },
  { is: /^npm run (packages|release)\b/, by: 'scripts/release.test.mjs' },
  { is: /^npm run (hostile|scan)\b/, by: 'trials/hostile/every-endpoint.test.ts' },
  { is: /^npm run sim\b/, by: 'trials/simulation/odd-seeds.test.ts' },
  { is: /^npm run (shape|configuration)\b/, by: 'scripts/structure.test.mjs' },
  {
    is: /^npm run db-conformance\b/,
    by: 'packages/server/src/db/conformance/conformance.test.ts',
  },
  { is: /^(operator|npm run (-s )?operator --) /, by: OPERATOR },
  { is: /^(npm install --global|python3 -m pip install --no-index) \.\/fairball[-_]/, by: PACKAGES },
  { is: /^fairball-(verify|witness) /, by: PACKAGES },
  {
    is: /^(node fairball-verify\.mjs|python3 (fairball-verify\.pyz|build_zip\.py)|sha256sum --check) ?/,
    by: VERIFYING,
  },
  { is: /^python3 fairball_verify\.py /, by: 'packages/verifier/python/tests/test_zip.py' },
  { is: /^(cd packages\/web\/dist|find client server) ?/, by: 'packages/server/src/http/build-hash.test.ts' },
  {
    is: /^(bitcoin-cli|lightning-cli|lncli) /,
    because: 'it is a program of others, at a node whose keys are not ours',
  },
  {
    is: /^(createdb|DATABASE_URL=\S+ npm start|CONTENT_FILE=\S+ npm start)/,
    because: 'every test of the server starts it on a database of its own',
  },
  { is: /^jq /, because: 'it shows how another program writes the file; the plan that follows checks it' },
  { is: /^docker /, by: 'scripts/container.test.mjs' },
  {
    on: 'docs/operations.md',
    is: /^systemctl /,
    because: 'it is systemd’s, which no test has; the units have tests of their own',
  },
  {
    on: 'docs/operations.md',
    is: /^(apt-get install patroni|cp deploy\/patroni\/)/,
    because: '`npm run faults standby` starts Patroni with these files',
  },
  {
    on: 'docs/supply-chain.md',
    is: /^npm run image$/,
    because: 'it needs buildah and takes minutes; the trials start what it built',
  },
  {
    on: 'docs/run.md',
    is: /./,
    because: '`npm run trials run-page` carries out the page as a whole, on a bare Debian',
  },
]

/** The first words by which a line of a block without a language is a command. */
const PROGRAMS =
  /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|operator|fairball-\w+|python3|docker|podman|bitcoin-cli|createdb|jq|git|cp|cd|find|curl|openssl|psql|pg_\w+|systemctl|systemd-\w+|apt-get|sudo|sha256sum)\b(?! =)/

/** The commands of a page's code blocks, one a line; lines that end with `\` continue. */
function commandsOf(page) {
  const blocks = [...read(page).matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)]
  return blocks.flatMap(([, language, text]) =>
    ['', 'sh', 'bash'].includes(language)
      ? text
          .replaceAll(/\\\n\s*/g, '')
          .split('\n')
          .map((line) =>
            line.replace(/\s+#.*$|^\s*#.*$| {2,}.*$/, (rest) => (/^\s*$|#|^ {2}/.test(rest) ? '' : rest)).trim(),
          )
          .filter((line) => (language === '' ? PROGRAMS.test(line) : line !== ''))
          .flatMap((line) => line.split(' && '))
      : [],
  )
}

/** Commands in running text: `npm run …`, `operator …`, `fairball-verify …`. */
function mentionsOf(page) {
  const spans = [
    ...read(page).matchAll(/`((?:npm (?:run|start|test|ci)|operator|fairball-verify|fairball-witness)\b[^`\n]*)`/g),
  ]
  return spans.map(([, text]) => text)
}

const shown = PAGES.flatMap((page) => commandsOf(page).map((command) => [page, command]))
const named = [...shown, ...PAGES.flatMap((page) => mentionsOf(page).map((command) => [page, command]))]

describe('commands in the documents', () => {
  it('every command in a code block is covered by a test, or has a reason', () => {
    expect(shown.length).toBeGreaterThan(60)
    const rowOf = ([page, command]) => COVERED.find(({ on, is }) => (on ?? page) === page && is.test(command))
    expect(shown.filter((one) => rowOf(one) === undefined)).toEqual([])
    const tests = COVERED.flatMap(({ by }) => (by === undefined ? [] : [by]))
    expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
    const used = new Set(shown.map((one) => rowOf(one)))
    expect(COVERED.filter((row) => !used.has(row) && row.on === undefined).map(({ is }) => String(is))).toEqual([])
  })

  it('every npm script that a document names exists, with the options that it shows', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const wrong = []
    for (const [page, command] of named) {
      const [, name, rest = ''] = /(?:^|\s)npm run (?:-s )?([\w:-]+)(.*)$/.exec(command) ?? []
      if (name === undefined || rest.includes('--workspace')) continue
      if (scripts[name] === undefined) wrong.push(`${page}: there is no npm run ${name}`)
      else if (name !== 'operator')
        for (const option of optionsIn(rest))
          if (!hasOption(sourceOf(scripts[name]), option))
            wrong.push(`${page}: npm run ${name} has no option ${option}`)
    }
    expect(wrong).toEqual([])
  })

  it('every operator’s command that a document names exists, with the options that it shows', () => {
    const [, list = ''] = /<!-- commands -->([\s\S]*)<!-- \/commands -->/.exec(read('docs/operations.md')) ?? []
    const usages = new Map([...list.matchAll(/^- `(([\w-]+)[^`]*)`/gm)].map(([, usage, name]) => [name, usage]))
    expect(usages.size).toBeGreaterThan(30)
    const wrong = []
    for (const [page, command] of named) {
      const [, name, rest = ''] =
        /^(?:operator|npm run (?:-s )?operator --|\/etc\/fairball\/operator) ([a-z][\w-]*)(.*)$/.exec(command) ?? []
      if (name === undefined) continue
      const usage = usages.get(name)
      if (usage === undefined) wrong.push(`${page}: operator has no command ${name}`)
      else
        for (const option of optionsIn(rest))
          if (
            !`${usage} --reason --as --alone-in-emergency`.includes(option) &&
            !hasOption(sourceIn(`packages/server/src/main/${name}`), option)
          )
            wrong.push(`${page}: ${name} has no option ${option}`)
    }
    expect(wrong).toEqual([])
  })

  it('every option of verifier and witness that a document names exists', () => {
    const programs = [
      [/(?:fairball-verify(?:\.mjs)?) (.*)$/, read('packages/verifier/src/arguments.ts')],
      [/(?:fairball-verify\.pyz|fairball_verify\.py) (.*)$/, read('packages/verifier/python/fairball/command.py')],
      [/fairball-witness (.*)$/, read('packages/witness/src/arguments.ts')],
    ]
    const wrong = []
    for (const [page, command] of named)
      for (const [is, source] of programs)
        for (const option of optionsIn(is.exec(command)?.[1] ?? ''))
          if (!hasOption(source, option)) wrong.push(`${page}: ${command}`)
    expect(wrong).toEqual([])
  })
})

/** The text of a folder's files; empty if there is none. */
function sourceIn(folder) {
  const names = existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)) : []
  return names.map((name) => read(`${folder}/${name}`)).join('\n')
}

/** Whether the source of a program has an option: as it is given, or by the name that `parseArgs` gives it. */
function hasOption(source, option) {
  const name = option.slice(2)
  return new RegExp(`${option}\\b|['"\`]${name}['"\`]|\\b${name}:`).test(source)
}

function optionsIn(text) {
  return (text.split(' | ')[0] ?? '').match(/(?<=\s)--[a-z][\w-]+/g) ?? []
}

/** The text of an npm script and of what it starts: a script, and the folder of the trials that has its name. */
function sourceOf(line) {
  const [, file = ''] = /^node (\S+)/.exec(line) ?? []
  const name = /(\w[\w-]*)\.\w+$/.exec(file)?.[1] ?? ''
  const folders = ['trials', `trials/${name}`, `trials/${name === 'sim' ? 'simulation' : name}`, 'scripts'].filter(
    (folder) => existsSync(join(ROOT, folder)),
  )
  const beside = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((one) => /\.[cm]?[jt]s$/.test(one) && (folder.includes('/') || one.startsWith(name)))
      .map((one) => `${folder}/${one}`),
  )
  return [line, ...new Set([file, ...beside])].map((one) => (existsSync(join(ROOT, one)) ? read(one) : one)).join('\n')
}
