import { createInterface } from 'node:readline/promises'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readValues, SECRET_NAMES, VARIABLE_NAMES } from '../../config/variables.ts'
import { Refused } from '../../kernel/errors.ts'
import { QUESTIONS } from './questions.ts'
import { type Answers, SETUP_NAMES, type Target, TARGETS } from './setup-files.ts'

/** Variables that the setup decides. */
const DECIDED = ['ROLE', 'NODE_ENV', 'DATABASE_URL', 'CONSOLE_DATABASE_URL', 'SECRET_KEY', 'METRICS_TOKEN']
const NAMES = [...VARIABLE_NAMES.filter((name) => !DECIDED.includes(name)), ...SETUP_NAMES]
/** Neither systemd, nor Compose, nor Node's `--env-file` reads these as written. */
const UNFIT = /[\p{Cc}"'`\\$#]/u

/** What was typed. */
export interface Typed {
  readonly target: Target
  readonly folder: string
  /** whether the database's logins are made on this computer, as its administrator */
  readonly makesDatabase: boolean
  readonly answers: Answers
}

/** Asks one question and returns the answer; null where nobody can be asked. */
export type Ask = (text: string) => Promise<string | null>

/** Asks at the terminal; where there is none, nobody answers. */
export async function askAtTerminal(text: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await terminal.question(text)
  } finally {
    terminal.close()
  }
}

/**
 * Reads the options: `--public-url https://…` and the like answer by the name of a variable, `--answers` names a file
 * with lines `PUBLIC_URL=https://…`. An option wins over the file.
 *
 * @throws Refused with every problem
 */
export function readTyped(args: readonly string[]): Typed {
  const options = Object.fromEntries(NAMES.map((name) => [optionOf(name), { type: 'string' as const }]))
  const values: Readonly<Record<string, string | boolean | undefined>> = parse(args, options)
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined)
  const [target = 'systemd', folder, file] = ['for', 'folder', 'answers'].map(text)
  const problems: string[] = []
  if (!isTarget(target)) throw new Refused(`--for ${target}: one of ${TARGETS.join(', ')}.`)
  const typed = NAMES.flatMap((name): [string, string][] => {
    const value = text(optionOf(name))
    return value === undefined ? [] : [[name, value.trim()]]
  })
  const answers = { ...(file === undefined ? {} : answersIn(file, problems)), ...Object.fromEntries(typed) }
  if (problems.length > 0) throw new Refused(listOf(problems))
  return {
    target,
    folder: folder ?? (target === 'compose' ? 'deploy/private' : '/etc/fairball'),
    makesDatabase: values['make-database'] === true,
    answers,
  }
}

function parse(args: readonly string[], options: Readonly<Record<string, { type: 'string' }>>) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        ...options,
        for: { type: 'string' },
        folder: { type: 'string' },
        answers: { type: 'string' },
        'make-database': { type: 'boolean' },
      },
    })
    return values
  } catch (error) {
    if (error instanceof TypeError) throw new Refused(`${error.message.split('. ')[0]}. See docs/run.md.`)
    throw error
  }
}

function isTarget(text: string): text is Target {
  return (TARGETS as readonly string[]).includes(text)
}

function optionOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

/** The answers in a file: lines `NAME=value`, comments begin with `#`. */
function answersIn(file: string, problems: string[]): Answers {
  const answers: Record<string, string> = {}
  for (const [index, line] of textOf(file).split('\n').entries()) {
    const [, name = '', value = ''] = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name === '' && line.trim() !== '' && !line.trim().startsWith('#'))
      problems.push(`${file}, line ${index + 1}: write NAME=value.`)
    else if (DECIDED.includes(name)) problems.push(`${file}, line ${index + 1}: the setup itself decides ${name}.`)
    else if (name !== '' && !NAMES.includes(name))
      problems.push(`${file}, line ${index + 1}: there is no variable ${name}. docs/configuration.md lists them.`)
    else if (name !== '') answers[name] = value.trim()
  }
  return answers
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refused(`--answers ${file}: cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/**
 * Asks what was not answered yet. A bad answer is asked for again; where nobody can be asked, every problem is listed.
 *
 * @throws Refused
 */
export async function askMissing({ answers: given, target }: Typed, ask: Ask): Promise<Answers> {
  const answers: Record<string, string> = { ...given }
  const problems = Object.entries(given).flatMap(([name, value]) => problemOf(name, value) ?? [])
  for (const { name, text, usual, isFor } of QUESTIONS) {
    if (answers[name] !== undefined || !isFor(answers)) continue
    const fallback = usual(answers, target)
    const answer = await answerTo(name, `${text}${fallback ? ` [${fallback}]` : ''}: `, fallback, ask)
    if (answer === null) problems.push(`${name}: not answered. Give --${optionOf(name)}, or ${name}=… in --answers.`)
    else answers[name] = answer
  }
  if (problems.length > 0) throw new Refused(listOf(problems))
  return answers
}

/** A good answer; null where there is none and nobody can be asked. */
async function answerTo(name: string, text: string, fallback: string | null, ask: Ask): Promise<string | null> {
  for (let line = text; ;) {
    const told = await ask(line)
    if (told === null) return fallback
    const answer = told.trim() || fallback
    const problem = answer === null ? 'An answer is needed.' : problemOf(name, answer)
    if (answer !== null && problem === null) return answer
    line = `${problem}\n${text}`
  }
}

/** What is wrong with an answer; null for nothing. A secret is not repeated. */
function problemOf(name: string, value: string): string | null {
  const isSecret = SECRET_NAMES.includes(name) || name.endsWith('_URL')
  const shown = isSecret ? name : `${name}=${value}`
  if (!isSecret && UNFIT.test(value)) return `${shown}: leave out quotes, backslashes, dollar signs and number signs.`
  if (name === 'DATABASE_HOST' && !/^[\w.:-]*$/.test(value)) return `${shown}: set a host, like 127.0.0.1.`
  if (name === 'BACKUP_ARCHIVE' && !/^(\/[\w./-]*)?$/.test(value)) return `${shown}: set the whole path of a folder.`
  const problems: string[] = []
  const variable = name === 'WEB_BITCOIN_RPC_URL' ? 'BITCOIN_RPC_URL' : name
  readValues({ [variable]: value }, problems, [variable])
  return problems[0]?.replace(variable, name) ?? null
}

/** Several problems in one message. */
export function listOf(problems: readonly string[]): string {
  return `Nothing was written:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`
}
