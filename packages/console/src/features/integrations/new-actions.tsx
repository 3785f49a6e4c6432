import { useState } from 'react'
import { API_SCOPES, EVENT_TYPES } from '@fairball/contract/console/integrations'
import { Button } from '@fairball/ui/button.tsx'
import { CheckboxChips } from '@fairball/ui/chips.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { TextField } from '@fairball/ui/field.tsx'
import { endOfDay } from '../../shared/signing/field-rules.ts'
import { useMay } from '../../shared/signing/may.ts'
import { useSigning } from '../../shared/signing/signing.ts'
import styles from './integrations.module.css'

const TEXT_MAX = 500

/** Adds a webhook: its address and its events; the secret is shown once, on the request's page. */
export function WebhookAction() {
  const may = useMay('webhooks.create')
  const [isOpen, setOpen] = useState(false)
  if (!may.isKnown) return null
  return (
    <>
      <Button size="small" disabled={!may.isAllowed} title={may.why} onClick={() => setOpen(true)}>
        Add a webhook
      </Button>
      {isOpen && <WebhookDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function WebhookDialog({ onClose }: { onClose: () => void }) {
  const { propose } = useSigning()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<readonly string[]>([])
  const send = () => {
    onClose()
    propose('webhooks.create', { url: url.trim(), types })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Add a webhook">
      <div className={styles['form']}>
        <TextField
          label="Address"
          hint="It begins with https://, and is reachable from the internet."
          value={url}
          onChange={setUrl}
          maxLength={TEXT_MAX}
          spellCheck={false}
        />
        <CheckboxChips
          legend="Events"
          options={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
          chosen={types}
          onChange={setTypes}
        />
        <Needed names={[url.trim() === '' && 'an address', types.length === 0 && 'an event']} />
        <Button block disabled={url.trim() === '' || types.length === 0} onClick={send}>
          Continue
        </Button>
      </div>
    </Dialog>
  )
}

/** Makes an API key: its name, what it may read, and until when. */
export function KeyAction() {
  const may = useMay('api-keys.create')
  const [isOpen, setOpen] = useState(false)
  if (!may.isKnown) return null
  return (
    <>
      <Button size="small" disabled={!may.isAllowed} title={may.why} onClick={() => setOpen(true)}>
        Make an API key
      </Button>
      {isOpen && <KeyDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  const { propose } = useSigning()
  const [name, setName] = useState('')
  const [until, setUntil] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>([])
  const expiresAt = endOfDay(until)
  const send = () => {
    onClose()
    propose('api-keys.create', { name: name.trim(), scopes, expires_at: expiresAt })
  }
  return (
    <Dialog isOpen onClose={onClose} title="Make an API key">
      <div className={styles['form']}>
        <TextField label="Name" hint="The program that uses it." value={name} onChange={setName} maxLength={100} />
        <TextField
          label="Until the end of"
          type="date"
          hint="A year ahead at most."
          value={until}
          onChange={setUntil}
        />
        <CheckboxChips
          legend="May read"
          options={API_SCOPES.map((scope) => ({ value: scope, label: scope }))}
          chosen={scopes}
          onChange={setScopes}
        />
        <Needed
          names={[
            name.trim() === '' && 'a name',
            expiresAt === null && 'a last day',
            scopes.length === 0 && 'something to read',
          ]}
        />
        <Button block disabled={name.trim() === '' || expiresAt === null || scopes.length === 0} onClick={send}>
          Continue
        </Button>
      </div>
    </Dialog>
  )
}

function Needed({ names }: { names: readonly (string | false)[] }) {
  const missing = names.filter((name) => name !== false)
  return missing.length === 0 ? null : <p className={styles['note']}>Still needed: {missing.join(', ')}.</p>
}
