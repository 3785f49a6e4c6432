export { journalHead, lockMonth } from './locks.ts'
