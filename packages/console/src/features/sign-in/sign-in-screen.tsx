import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { useApi } from '../../shared/api.ts'
import { Failed } from '../../shared/failed.tsx'
import { Entrance } from '../../shared/entrance.tsx'
import { useKeyChoice } from '../../shared/passkeys/use-key-choice.tsx'
import { useIsSiteUnknown } from '../../shared/site.ts'
import { changeSession } from '../../shared/session.ts'

/** Asks for a passkey. There is no password, and nothing that a mail could reset. */
export function SignInScreen() {
  const api = useApi()
  const client = useQueryClient()
  const { field, sign } = useKeyChoice()
  const isUnknown = useIsSiteUnknown()
  const signIn = useMutation({
    mutationFn: async () => {
      const { options } = await api.call('signInOptions')
      return await api.call('signIn', { body: { response: await sign(options) } })
    },
    onSuccess: (session) => changeSession(client, session),
  })
  useEffect(() => {
    document.title = 'Sign in – Operator console'
  }, [])
  return (
    <Entrance title="Sign in" lead="Use the passkey that you registered for this console.">
      {field}
      <Failed error={signIn.error} />
      <Button block busy={signIn.isPending || isUnknown} onClick={() => signIn.mutate()}>
        Sign in with a passkey
      </Button>
    </Entrance>
  )
}
