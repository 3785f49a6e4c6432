import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { PersonIcon } from '@fairball/ui/basic-icons.tsx'
import type { Me } from '../../shared/calls.ts'
import { isShortcutOn, useShortcut } from '../../shared/keyboard/preferences.ts'
import { goTo } from '../../shared/address.ts'
import { usePlace } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { useSite } from '../../shared/site.ts'
import styles from './shell.module.css'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))

/** The ink bar: what this is, of which site, the search, and who is signed in. */
export function Bar({ me }: { me: Me }) {
  const { name, is_demo } = useSite()
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <header className={styles['bar']}>
      <p className={styles['what']}>
        <strong>Operator console</strong>
        <span className={styles['name']}>{name}</span>
        {is_demo && <span className={styles['test']}>Test mode</span>}
      </p>
      <Search />
      <button type="button" className={styles['me']} aria-haspopup="dialog" onClick={open}>
        <PersonIcon size={20} />
        <span>{me.name}</span>
      </button>
      {wasOpened && (
        <Suspense fallback={null}>
          <AccountDialog me={me} isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </header>
  )
}

function Search() {
  const { path, query } = usePlace()
  const isOn = useShortcut('search')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !isShortcutOn('search')) return
      const { target } = event
      const isTyping = target instanceof Element && target.matches('input, textarea, select, dialog *')
      if (isTyping) return
      event.preventDefault()
      field.current?.focus()
      field.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  const search = (event: FormEvent) => {
    event.preventDefault()
    const wanted = field.current?.value.trim() ?? ''
    if (wanted !== '') goTo(paths.search(wanted))
  }
  const asked = path === '/search' ? (query['q'] ?? '') : ''
  return (
    <form role="search" className={styles['search']} onSubmit={search}>
      <input
        key={asked}
        ref={field}
        type="search"
        name="q"
        defaultValue={asked}
        aria-label="Search"
        aria-keyshortcuts={isOn ? '/' : undefined}
        placeholder={isOn ? 'Search   /' : 'Search'}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        className={styles['searchField']}
      />
    </form>
  )
}
