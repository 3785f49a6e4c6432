import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { useTimers } from '@fairball/ui/timers.tsx'
import { Attendance, AttendanceContext } from '../../shared/attendance.ts'
import { partsOf, useAddress } from '../../shared/address.ts'
import type { Me } from '../../shared/calls.ts'
import { MeContext, SESSION_KEY } from '../../shared/session.ts'
import { SigningProvider } from '../../shared/signing/signing-provider.tsx'
import { CrashBoundary } from '../crash-boundary.tsx'
import { MissingPage } from '../missing-page.tsx'
import { PAGES } from '../pages.tsx'
import { Bar } from './bar.tsx'
import { Menu } from './menu.tsx'
import styles from './shell.module.css'

/** The frame of every page: the ink bar, the menu, and the dialog that signs. */
export default function Shell({ me }: { me: Me }) {
  const { path } = useAddress()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    // As after loading a page, the keyboard starts at its beginning.
    main.current?.focus({ preventScroll: true })
  }, [path])
  const attendance = useAttendance()
  return (
    <MeContext value={me}>
      <AttendanceContext value={attendance}>
        <SigningProvider>
          <a href="#content" className={styles['skip']}>
            Skip to the page
          </a>
          <Bar me={me} />
          <div className={styles['body']}>
            <Menu />
            <main ref={main} id="content" tabIndex={-1} className={styles['main']}>
              <CrashBoundary key={path}>
                <Suspense fallback={<SkeletonRows rows={6} />}>
                  <Content path={path} />
                </Suspense>
              </CrashBoundary>
            </main>
          </div>
        </SigningProvider>
      </AttendanceContext>
    </MeContext>
  )
}

/** Watches whether somebody is there; once the session must have ended, it is read again, and the sign-in shown. */
function useAttendance(): Attendance {
  const timers = useTimers()
  const client = useQueryClient()
  const [attendance] = useState(
    () => new Attendance(timers, () => void client.invalidateQueries({ queryKey: SESSION_KEY })),
  )
  useEffect(() => attendance.watch(), [attendance])
  return attendance
}

function Content({ path }: { path: string }) {
  for (const { pattern, Screen } of PAGES) {
    const parts = partsOf(pattern, path)
    if (parts !== null) return <Screen {...parts} />
  }
  return <MissingPage />
}
