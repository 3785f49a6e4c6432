import { useState } from 'react'
import { useNavigate } from '../../../shared/navigation.tsx'
import { paths } from '../../../shared/paths.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Dialog } from '@fairball/ui/dialog.tsx'
import { PLAY_LIMIT_TEXTS } from '../messages.ts'
import styles from './reminder-dialog.module.css'

/** Props of {@link ReminderDialog}. */
export interface ReminderDialogProps {
  /** Minutes that the player has been here. */
  minutes: number
  /** The player has seen it. */
  onAnswer: () => void
  /** The player logs out. */
  onLeave: () => void
}

/** Says how long the player has been here, with the choice to continue, take a break or log out. */
export function ReminderDialog({ minutes, onAnswer, onLeave }: ReminderDialogProps) {
  const navigate = useNavigate()
  const { signOut } = useSession()
  const [isLeaving, setIsLeaving] = useState(false)
  const takeBreak = () => {
    onAnswer()
    navigate(paths.responsiblePlay())
  }
  const logOut = async () => {
    setIsLeaving(true)
    const { pathname, search } = window.location
    await signOut()
    onLeave()
    navigate(paths.login(`${pathname}${search}`))
  }
  return (
    <Dialog
      isOpen
      onClose={onAnswer}
      title={PLAY_LIMIT_TEXTS.noteTitle(minutes)}
      footer={
        <>
          <Button data-first-focus onClick={onAnswer}>
            {PLAY_LIMIT_TEXTS.noteContinue}
          </Button>
          <span className={styles['others']}>
            <Button variant="secondary" onClick={takeBreak}>
              {PLAY_LIMIT_TEXTS.noteBreak}
            </Button>
            <Button variant="soft" busy={isLeaving} onClick={() => void logOut()}>
              {PLAY_LIMIT_TEXTS.noteLogOut}
            </Button>
          </span>
        </>
      }
    >
      <p>{PLAY_LIMIT_TEXTS.noteText}</p>
    </Dialog>
  )
}
