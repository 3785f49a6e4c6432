export { journalHead, lockMonth } from './locks.ts'
export { differencesIn, wordsOfDifferences } from './months.ts'
