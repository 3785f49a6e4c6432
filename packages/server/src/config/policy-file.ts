import { readFileSync } from 'node:fs'
import { PolicyError, readPolicy } from '@fairball/domain/protocol/policy'

/** The word by which an operator says that no witness is asked. */
export const NONE_I_KNOW = 'none-i-know'
/** The policy of an operator without witnesses: nothing meets it. */
export const NO_WITNESSES = 'quorum none\n'

/**
 * Reads the policy that draws will name: which witnesses are asked, and how many of them have to cosign.
 *
 * @param problems whatever is wrong is added to these, with what to set
 * @returns its text; useless if there were problems
 */
export function readPolicyFile(file: string, problems: string[]): string {
  try {
    const text = readFileSync(file, 'utf8')
    const { witnesses, quorum } = readPolicy(text)
    if (quorum === null)
      problems.push(`a policy with "quorum none" is met by nothing. Set WITNESSES=${NONE_I_KNOW} instead.`)
    const silent = witnesses.filter(({ url }) => url === null || !isAddress(url))
    for (const { name } of silent)
      problems.push(`the witness ${name} cannot be asked. End its line with its URL, like https://witness.example.`)
    return text
  } catch (error) {
    const why = error instanceof PolicyError ? error.message : `the file cannot be read (${(error as Error).message}).`
    problems.push(`${why} Set the path of a policy (C2SP tlog-policy), or ${NONE_I_KNOW}.`)
    return NO_WITNESSES
  }
}

function isAddress(url: string): boolean {
  return ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? '')
}
