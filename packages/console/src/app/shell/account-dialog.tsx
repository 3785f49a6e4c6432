import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@fairball/ui/button.tsx'
import { Toggle } from '@fairball/ui/checkbox.tsx'
import { RadioChips } from '@fairball/ui/chips.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { useApi } from '../../shared/api.ts'
import type { Me } from '../../shared/calls.ts'
import { Failed } from '../../shared/failed.tsx'
import { turnShortcut, useShortcut } from '../../shared/keyboard/preferences.ts'
import { roleNames } from '../../shared/roles.ts'
import { changeSession } from '../../shared/session.ts'
import { chooseTheme, chosenTheme } from '../../shared/theme.ts'
import styles from './shell.module.css'

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Who is signed in, how the console looks and takes keys, and the way out. */
export default function AccountDialog({ me, isOpen, onClose }: { me: Me; isOpen: boolean; onClose: () => void }) {
  const api = useApi()
  const client = useQueryClient()
  const [theme, setTheme] = useState(chosenTheme)
  const signOut = useMutation({
    mutationFn: () => api.call('signOut'),
    onSuccess: () => changeSession(client, null),
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={me.name}>
      <div className={styles['account']}>
        <p>{roleNames(me.roles)}</p>
        <RadioChips
          legend="Theme"
          options={THEMES}
          chosen={theme}
          onChange={(next) => {
            chooseTheme(next)
            setTheme(next)
          }}
        />
        <Toggle
          label="The key / goes to the search"
          checked={useShortcut('search')}
          onChange={(isOn) => turnShortcut('search', isOn)}
        />
        <Toggle
          label="Arrow keys move in tables"
          checked={useShortcut('tables')}
          onChange={(isOn) => turnShortcut('tables', isOn)}
        />
        <Failed error={signOut.error} />
        <Button variant="secondary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </div>
    </Dialog>
  )
}
