import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FormEvent } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { SelectField, TextField } from '@fairball/ui/field.tsx'
import { Steps } from '@fairball/ui/steps.tsx'
import { useApi, useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Entrance } from '../../shared/entrance.tsx'
import { Failed } from '../../shared/failed.tsx'
import { Failure } from '../../shared/failure.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { goTo } from '../../shared/address.ts'
import { usePasskeys } from '../../shared/passkeys/passkeys.ts'
import { paths } from '../../shared/paths.ts'
import { roleNames } from '../../shared/roles.ts'
import { SESSION_KEY } from '../../shared/session.ts'
import styles from './enrol.module.css'
import { useIsSiteUnknown, useSite } from '../../shared/site.ts'

type Invite = AnswerOf<'getInvite'>

/** An invited person registers passkeys over a link that works once: two, so that losing one loses nothing. */
export function EnrolScreen({ token }: { token: string }) {
  const invite = useRead('getInvite', { params: { token } })
  useEffect(() => {
    document.title = 'Register passkeys – Operator console'
  }, [])
  if (invite.data !== undefined && invite.data.keys_needed === 0) return <Ready invite={invite.data} />
  if (invite.error instanceof Failure && invite.error.status !== 0 && invite.error.status < 500)
    return (
      <Entrance title="This link doesn’t work any more" lead="It works once, for 24 hours.">
        <Banner kind="info">Ask an owner for a new link. Is everything registered already? Then just sign in.</Banner>
        <SignInButton />
      </Entrance>
    )
  return <Loaded of={invite}>{(answer) => <Next token={token} invite={answer} />}</Loaded>
}

function Ready({ invite }: { invite: Invite }) {
  return (
    <Entrance title={`You’re ready, ${invite.name}`} lead={`${invite.keys} passkeys are registered.`}>
      <Banner kind="success" live>
        Keep them in two places. If you lose one, ask an owner to reset your passkeys.
      </Banner>
      <SignInButton />
    </Entrance>
  )
}

function SignInButton() {
  const client = useQueryClient()
  const go = () => {
    client.removeQueries({ queryKey: SESSION_KEY })
    goTo(paths.overview)
  }
  return (
    <Button block onClick={go}>
      Go to the sign-in
    </Button>
  )
}

const LABEL_MAX = 100
const NAMES = ['Key 1', 'Key 2', 'Another key']

function Next({ token, invite }: { token: string; invite: Invite }) {
  const { name, roles, keys, keys_needed } = invite
  const lead = keys === 0 ? `Your roles: ${roleNames(roles)}. Register two passkeys.` : 'One more, on another device.'
  return (
    <Entrance title={`Welcome, ${name}`} lead={lead}>
      <Steps current={keys + 1} names={Array.from({ length: keys + keys_needed }, (_, key) => `Passkey ${key + 1}`)} />
      <KeyForm key={keys} token={token} keys={keys} />
    </Entrance>
  )
}

function KeyForm({ token, keys }: { token: string; keys: number }) {
  const api = useApi()
  const passkeys = usePasskeys()
  const client = useQueryClient()
  const { is_demo } = useSite()
  const isUnknown = useIsSiteUnknown()
  const [chosen, setWhere] = useState<'test' | 'device' | null>(null)
  const where = chosen ?? (is_demo ? 'test' : 'device')
  const [label, setLabel] = useState(NAMES[Math.min(keys, NAMES.length - 1)] ?? '')
  const problem = label.trim() === '' ? 'Name it, so that you know it again.' : undefined
  const register = useMutation({
    mutationFn: async () => {
      const named = label.trim()
      const { options } = await api.call('inviteOptions', { params: { token } })
      const made = where === 'test' ? passkeys.registerTest(options, named) : passkeys.register(options)
      return await api.call('enrol', { params: { token }, body: { response: await made, label: named } })
    },
    // Not read again: a link whose passkeys are all registered is used up.
    onSuccess: (counts) =>
      client.setQueryData<Invite>(['getInvite', { token }, {}], (invite) => invite && { ...invite, ...counts }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    register.mutate()
  }
  return (
    <form className={styles['form']} noValidate onSubmit={send}>
      <TextField
        label="Name of the passkey"
        value={label}
        onChange={setLabel}
        error={problem}
        hint="Such as “laptop” or “safe”."
        maxLength={LABEL_MAX}
        autoComplete="off"
      />
      {is_demo && (
        <SelectField
          label="Make it"
          value={where}
          onChange={setWhere}
          hint="Test keys exist in the demo alone. This browser keeps them, so one person can play several."
          options={[
            { value: 'test', label: 'As a test key in this browser' },
            { value: 'device', label: 'As a passkey of this device' },
          ]}
        />
      )}
      <Failed error={register.error} />
      <Button type="submit" block busy={register.isPending || isUnknown} disabled={problem !== undefined}>
        Register
      </Button>
    </form>
  )
}
