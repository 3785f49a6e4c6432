import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The suffix of a variable that names a file: `SECRET_KEY_FILE=/run/secrets/secret_key`. */
const FILE = '_FILE'
/** systemd names here the folder of a unit's credentials (systemd.exec(5)), and compose.yaml that of a role's secrets. */
const CREDENTIALS = 'CREDENTIALS_DIRECTORY'
/** `LoadCredential=fairball:<folder>` begins the name of each file with this. */
const CREDENTIAL_PREFIX = 'fairball_'
/** No secret of ours is longer; a larger file was meant for something else. */
const MAX_BYTES = 16_384

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment with the secrets from files: a person who can read the environment of a process (`docker inspect`, a
 * crash report) does not see these. `SECRET_KEY_FILE` names the file of one; without it the file `secret_key` of
 * CREDENTIALS_DIRECTORY counts, or `fairball_secret_key`.
 *
 * @param secrets the names of the variables that can come from a file
 * @param problems what is wrong is added to these; the content of a file is never shown
 */
export function withSecretFiles(env: Environment, secrets: readonly string[], problems: string[]): Environment {
  const found = secrets.flatMap((name): [string, string][] => {
    const named = env[name + FILE]?.trim() ?? ''
    const path = named === '' ? credentialOf(env, name) : named
    if (path === '') return []
    const shown = named === '' ? path : `${name}${FILE}`
    if ((env[name]?.trim() ?? '') !== '') {
      problems.push(`${shown}: ${name} is set as well. Leave one of them out.`)
      return []
    }
    const text = textOf(path)
    if (text instanceof Error) problems.push(`${named === '' ? shown : `${shown}=${path}`}: ${text.message}.`)
    return text instanceof Error ? [] : [[name, text]]
  })
  return { ...env, ...Object.fromEntries(found) }
}

/** The file of a secret among the credentials of the process; '' for none. */
function credentialOf(env: Environment, name: string): string {
  const folder = env[CREDENTIALS]?.trim() ?? ''
  const id = name.toLowerCase()
  const files = folder === '' ? [] : [join(folder, id), join(folder, CREDENTIAL_PREFIX + id)]
  return files.find((file) => existsSync(file)) ?? ''
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
