import { readFileSync, statSync } from 'node:fs'

/** The suffix of a variable that names a file: `SECRET_KEY_FILE=/run/secrets/secret_key`. */
const FILE = '_FILE'
/** No secret of ours is longer; a larger file was meant for something else. */
const MAX_BYTES = 16_384

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment with the secrets from files: a person who can read the environment of a process (`docker inspect`, a
 * crash report) does not see these.
 *
 * @param secrets the names of the variables that can come from a file
 * @param problems what is wrong is added to these; the content of a file is never shown
 */
export function withSecretFiles(env: Environment, secrets: readonly string[], problems: string[]): Environment {
  const found = secrets.flatMap((name): [string, string][] => {
    const path = env[name + FILE]?.trim() ?? ''
    if (path === '') return []
    if ((env[name]?.trim() ?? '') !== '') {
      problems.push(`${name}${FILE}: ${name} is set as well. Leave one of them out.`)
      return []
    }
    const text = textOf(path)
    if (text instanceof Error) problems.push(`${name}${FILE}=${path}: ${text.message}.`)
    return text instanceof Error ? [] : [[name, text]]
  })
  return { ...env, ...Object.fromEntries(found) }
}

/** The file's text without the line end that editors add; an error with what to do if there is none. */
function textOf(path: string): string | Error {
  try {
    if (statSync(path).size > MAX_BYTES) return new Error('is too large to be a secret. Name another file')
    const text = readFileSync(path, 'utf8').trim()
    return text === '' ? new Error('is empty. Write the secret into it') : text
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // the file system's error
    return new Error(
      code === 'EACCES'
        ? 'cannot be read by the user that runs this. Give it to that user'
        : `cannot be read (${code ?? 'unknown'}). Name a file that holds the secret`,
    )
  }
}
