import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { addressInOneSpelling, type BitcoinNetwork } from '@fairball/domain/btc-address'
import { IMAGES_PATH, readImage } from './content-images.ts'
import { contentSchema, type ContentInput, isImagePath } from './content-schema.ts'
import { type ContentImage, NO_CONTENT, type OperatorContent } from './operator-content.ts'
import { placeholdersIn } from './placeholders.ts'

const MAX_FILE_BYTES = 1_000_000

/**
 * Reads the operator's content file (docs/operator-content.md) and the pictures beside it, once, at the start.
 *
 * @param options.network whose addresses partners are paid at; null if the network is itself a problem
 * @param options.isReal whether players read it (default: no): then nothing of the documentation's example may be left
 *   in it
 * @param problems whatever is wrong is added to these, each with its place in the file and what to set
 * @returns the content; useless if there were problems
 */
export function readContentFile(
  file: string,
  options: { readonly network: BitcoinNetwork | null; readonly isReal?: boolean },
  problems: string[],
): OperatorContent {
  const raw = readJson(file)
  if ('problem' in raw) {
    problems.push(raw.problem)
    return NO_CONTENT
  }
  const checked = contentSchema(options.network).safeParse(raw.value)
  for (const { path, message } of checked.error?.issues ?? []) problems.push(`${placeOf(path)}${message}`)
  problems.push(...repetitions(raw.value))
  if (options.isReal === true) {
    for (const place of placeholdersIn(raw.value)) problems.push(`${place}: set your own, this is the example's`)
  }
  const images = readImages(dirname(file), raw.value, problems)
  return checked.success ? contentOf(checked.data, images) : NO_CONTENT
}

function readJson(file: string): { readonly value: unknown } | { readonly problem: string } {
  let text: string
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return { problem: `it has more than ${MAX_FILE_BYTES} bytes` }
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    return { problem: `it is not JSON: ${(error as SyntaxError).message}` }
  }
}

/** Where the pictures are, by the path the file gives. */
interface ReadImages {
  readonly names: ReadonlyMap<string, string>
  readonly images: ReadonlyMap<string, ContentImage>
}

/** Reads every existing picture, even of causes with other problems: all problems are reported together. */
function readImages(folder: string, value: unknown, problems: string[]): ReadImages {
  const names = new Map<string, string>()
  const images = new Map<string, ContentImage>()
  for (const [index, cause] of itemsOf(value, 'causes').entries()) {
    const image = cause['image']
    if (typeof image !== 'string' || !isImagePath(image)) continue // the schema says what is wrong with it
    const read = readImage(folder, image)
    if ('problem' in read) {
      problems.push(`causes[${index}].image: ${read.problem}`)
      continue
    }
    names.set(image, read.name)
    images.set(read.name, read.image)
  }
  return { names, images }
}

/** The problems of what must be unique: ids, networks, and the addresses money goes to. */
export function repetitions(value: unknown): string[] {
  const problems: string[] = []
  for (const [list, name, what] of ONCE) {
    const first = new Map<string, number>()
    for (const [index, item] of itemsOf(value, list).entries()) {
      const text = item[name]
      if (typeof text !== 'string') continue
      const given = name === 'address' ? addressInOneSpelling(text) : text
      const before = first.get(given)
      if (before === undefined) first.set(given, index)
      else problems.push(`${list}[${index}].${name}: set another ${what}; ${list}[${before}] has this one`)
    }
  }
  return problems
}

const ONCE = [
  ['social', 'network', 'network'],
  ['causes', 'id', 'id'],
  ['partners', 'id', 'id'],
  ['partners', 'address', 'address'],
] as const

/** The objects of a list of the file, as far as its shape is right. */
function itemsOf(value: unknown, list: string): Record<string, unknown>[] {
  const items = isRecord(value) ? value[list] : null
  return Array.isArray(items) ? items.map((item: unknown) => (isRecord(item) ? item : {})) : []
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `partners[0].address: `, and an empty text for the whole file. */
export function placeOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return ''
  const place = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`
    return `${index === 0 ? '' : '.'}${String(part)}`
  })
  return `${place.join('')}: `
}

function contentOf(input: ContentInput, { names, images }: ReadImages): OperatorContent {
  const { operator = null, social = [], causes = [], partners = [], feedback_form_url: feedbackFormUrl = null } = input
  return {
    operator:
      operator === null ? null : { ...operator, phone: operator.phone ?? null, source: operator.source ?? null },
    social,
    causes: causes.map((cause) => {
      const name = names.get(cause.image ?? '')
      return { ...cause, image: name === undefined ? null : `${IMAGES_PATH}${name}` }
    }),
    partners,
    feedbackFormUrl,
    images,
  }
}
