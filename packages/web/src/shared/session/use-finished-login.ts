import type { LoginAnswer } from '@fairball/contract/schemas/account'
import { useNavigate } from '../navigation.tsx'
import { paths } from '../paths.ts'
import { useSession } from './use-session.ts'

/**
 * @param path target of a finished login
 * @returns a function that ends a login: the session begins and the page changes to `path`, or the second step follows
 *   and keeps it. It throws ApiError when the profile cannot be loaded
 */
export function useFinishedLogin(path: string): (answer: LoginAnswer) => Promise<void> {
  const { signIn } = useSession()
  const navigate = useNavigate()
  return async (answer) => {
    if ('key' in answer) {
      navigate(paths.loginSecure(answer.key, path))
      return
    }
    await signIn(answer)
    navigate(path, { replace: true })
  }
}
