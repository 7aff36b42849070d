// Generated from the Rust contract by `cargo test -p talaria-api`. Do not edit.

export type About = { 
/**
 * Its version.
 */
version: string, 
/**
 * The data root.
 */
data_root: string, 
/**
 * The folder of the logs.
 */
log_folder: string, 
/**
 * Set when the database was found damaged at start: where the damaged file was put.
 */
damaged_database: string | null, 
/**
 * Set when the settings file can't be understood, so that the defaults hold: what is wrong.
 */
settings_problem: string | null, };

export type Act = { 
/**
 * What it would change or reach, in order. Empty: nothing outside its own session.
 */
effects: Array<Effect>, 
/**
 * What the user sees of it before saying yes or no.
 */
preview: Preview, 
/**
 * What the model wants to know of the user. Nothing is done then: the answer is the result.
 */
asks?: Choice, 
/**
 * Stands for the exact content: another text, command or file as it lies on disk has another
 * digest. Empty while `effects` is.
 */
digest: string, };

export type AddAttachment = { 
/**
 * Its name, as the user knows it.
 */
name: string, 
/**
 * Its bytes in base64.
 */
data: string, };

export type Answer = { "kind": "allow", 
/**
 * The digest of the act that was shown. Another one is refused.
 */
digest: string, 
/**
 * How far.
 */
reach: Reach, } | { "kind": "deny", 
/**
 * What the model should know or do instead.
 */
words?: string, } | { "kind": "choose", 
/**
 * In the user's order.
 */
chosen: Array<string>, };

export type AnswerQuestion = { 
/**
 * Which.
 */
question_id: QuestionId, 
/**
 * The answer.
 */
answer: Answer, };

export type ApiError = { 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What happened, without secrets.
 */
message: string, 
/**
 * What to do about it.
 */
hint: string, 
/**
 * After how long asking again may work, in milliseconds.
 */
retry_after_ms?: number, 
/**
 * For an overflow: the window in tokens, where known.
 */
limit?: number, };

export type Approval = { 
/**
 * What was decided.
 */
outcome: ApprovalOutcome, 
/**
 * Who decided.
 */
by: ApprovalSource, 
/**
 * What the user said to a refusal, for the model.
 */
words?: string, };

export type ApprovalOutcome = "allowed" | "denied" | "unanswered";

export type ApprovalSource = "harmless" | "forbidden" | "rule" | "mode" | "remembered" | "user" | "flag";

export type ArchiveSession = { 
/**
 * Which.
 */
session_id: SessionId, 
/**
 * Whether it is away.
 */
archived: boolean, };

export type AskReason = { "why": "mode" } | { "why": "rule" } | { "why": "outside_folders", 
/**
 * Where to.
 */
path: string, } | { "why": "unclear", 
/**
 * What makes it so, in a few English words.
 */
what: string, } | { "why": "dangerous", 
/**
 * What makes it so, in a few English words.
 */
what: string, } | { "why": "after_suspicion", 
/**
 * Where they stood.
 */
origin: string, };

export type Attachment = { 
/**
 * Its id.
 */
id: AttachmentId, 
/**
 * The file's name, without a folder.
 */
name: string, 
/**
 * What it is, for example `image/png`; found from its bytes, not from its name.
 */
media_type: string, 
/**
 * Its size in bytes, as it is kept.
 */
size: number, };

export type AttachmentContent = { 
/**
 * What it is.
 */
attachment: Attachment, 
/**
 * Its bytes in base64.
 */
data: string, };

export type AttachmentId = string;

export type AuthorizationAttempt = { 
/**
 * Names the attempt.
 */
attempt: string, 
/**
 * The page to open.
 */
url: string, 
/**
 * How long it waits, in seconds.
 */
expires_in: number, 
/**
 * The service it will make.
 */
service: ServiceId, };

export type AuthorizationState = { "state": "waiting" } | { "state": "done" } | { "state": "failed", 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What was said.
 */
message: string, };

export type Backend = "keyring" | "file" | "memory";

export type BeginAuthorization = { 
/**
 * The preset.
 */
preset: string, };

export type Block = { 
/**
 * The HTML.
 */
html: string, 
/**
 * False while the block may still change as text streams in. A settled one changes at most once,
 * when the text ends: if a definition further down makes a link of something in it.
 */
settled: boolean, };

export type BlockPatch = { 
/**
 * Index of the first block that changed; the number of blocks if none did.
 */
from: number, 
/**
 * The blocks from there to the end.
 */
blocks: Array<Block>, };

export type CancelAuthorization = { 
/**
 * Which attempt.
 */
attempt: string, };

export type Change = { "changed": "sessions" } | { "changed": "session", 
/**
 * Which.
 */
session_id: SessionId, } | { "changed": "questions" } | { "changed": "notes" } | { "changed": "settings" };

export type Check = "connection" | "tools" | "call_round_trip" | "session_write" | "notes_folder" | "keyring" | "context_limit";

export type Choice = { 
/**
 * The question.
 */
text: string, 
/**
 * The answers to choose from; none if only free words fit.
 */
options: Array<string>, 
/**
 * Whether several may be chosen.
 */
several: boolean, };

export type ChoiceKind = "model" | "compaction";

export type ChoiceTrace = { 
/**
 * What was chosen.
 */
of: ChoiceKind, 
/**
 * What there was to choose from, in order of preference.
 */
candidates: Array<string>, 
/**
 * What was taken.
 */
chosen: string, 
/**
 * Why, in a few English words.
 */
why: string, };

export type ChooseSecretStore = { 
/**
 * Where.
 */
choice: StoreChoice, };

export type ClearSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type CompactSession = { 
/**
 * Which.
 */
session_id: SessionId, 
/**
 * What is to be kept above all, in the user's words; may be empty.
 */
keep: string, };

export type Compaction = { 
/**
 * Its id.
 */
id: CompactionId, 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * When.
 */
at: Timestamp, 
/**
 * Tool calls up to here, this item included, are left out, with their results.
 */
steps_through: ItemId | null, 
/**
 * Everything up to here, this item included, is replaced by the summary. The words of the
 * running turn's user stay.
 */
summary_through: ItemId | null, 
/**
 * What stands for it; empty without `summary_through`.
 */
summary: string, 
/**
 * Everything up to here, this item included, is left out without a summary, as long as the
 * window is no larger than `window`.
 */
left_out_through: ItemId | null, 
/**
 * The window that it was made for, in tokens.
 */
window: number, 
/**
 * Tokens of a request before.
 */
tokens_before: number, 
/**
 * Tokens of a request after.
 */
tokens_after: number, 
/**
 * Whether the user asked for it.
 */
by_hand: boolean, };

export type CompactionId = string;

export type CompactionView = { 
/**
 * Whether the user took it back.
 */
undone: boolean, 
/**
 * Its id.
 */
id: CompactionId, 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * When.
 */
at: Timestamp, 
/**
 * Tool calls up to here, this item included, are left out, with their results.
 */
steps_through: ItemId | null, 
/**
 * Everything up to here, this item included, is replaced by the summary. The words of the
 * running turn's user stay.
 */
summary_through: ItemId | null, 
/**
 * What stands for it; empty without `summary_through`.
 */
summary: string, 
/**
 * Everything up to here, this item included, is left out without a summary, as long as the
 * window is no larger than `window`.
 */
left_out_through: ItemId | null, 
/**
 * The window that it was made for, in tokens.
 */
window: number, 
/**
 * Tokens of a request before.
 */
tokens_before: number, 
/**
 * Tokens of a request after.
 */
tokens_after: number, 
/**
 * Whether the user asked for it.
 */
by_hand: boolean, };

export type ContextLayer = { 
/**
 * Which.
 */
kind: LayerKind, 
/**
 * What it takes.
 */
tokens: number, 
/**
 * The most it may take, where it has a bound of its own.
 */
cap: number | null, };

export type ContextReport = { 
/**
 * The model's window in tokens.
 */
window: number, 
/**
 * Kept free for the answer.
 */
reserved: number, 
/**
 * The layers in the order in which they are sent; those that are empty are left out.
 */
layers: Array<ContextLayer>, };

export type Cost = number;

export type CreateNote = { 
/**
 * The title, in any language.
 */
title: string, 
/**
 * The Markdown text.
 */
text: string, 
/**
 * The session it comes from, when it was made from a selection.
 */
session_id: SessionId | null, };

export type CreateSession = Record<symbol, never>;

export type DeleteNote = { 
/**
 * Which.
 */
path: string, };

export type DeleteSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type Diagnosis = { 
/**
 * What was checked.
 */
check: Check, 
/**
 * Whether it is as it should be.
 */
passed: boolean, 
/**
 * What was seen.
 */
detail: string, 
/**
 * What to do, when it is not.
 */
hint: string, };

export type DiffHunk = { 
/**
 * Number of the first line before, from 1.
 */
old_start: number, 
/**
 * Number of the first line after, from 1.
 */
new_start: number, 
/**
 * The lines.
 */
lines: Array<DiffLine>, };

export type DiffLine = { 
/**
 * Whether it stays, comes or goes.
 */
change: LineChange, 
/**
 * Its text.
 */
text: string, };

export type DiscoverServices = Record<symbol, never>;

export type Effect = { "kind": "read", 
/**
 * Which.
 */
path: string, } | { "kind": "write", 
/**
 * Which.
 */
path: string, } | { "kind": "command", 
/**
 * The command as it would be given to the shell.
 */
command: string, 
/**
 * Where it runs.
 */
folder: string, 
/**
 * Whether it may reach the network.
 */
network: boolean, 
/**
 * The secrets it gets, by name.
 */
secrets: Array<string>, 
/**
 * Whether the system holds it to the folders it may use.
 */
sandboxed: boolean, } | { "kind": "fetch", 
/**
 * Its address.
 */
url: string, } | { "kind": "web_search", 
/**
 * The service's host.
 */
host: string, 
/**
 * The words.
 */
query: string, } | { "kind": "note", 
/**
 * Its title.
 */
title: string, };

export type EnvironmentKey = { 
/**
 * The variable.
 */
variable: string, 
/**
 * The preset it belongs to.
 */
preset: string, };

export type ErrorCode = "auth" | "billing" | "rate_limited" | "overloaded" | "context_overflow" | "output_limit" | "content_policy" | "model_not_found" | "bad_request" | "network" | "timeout" | "tls" | "bad_response" | "stream_cut" | "cancelled" | "storage" | "keyring" | "invalid_input" | "not_found" | "conflict" | "denied" | "unsafe_content" | "internal";

export type ExcerptRun = { 
/**
 * The text.
 */
text: string, 
/**
 * Whether it is what was searched for.
 */
hit: boolean, };

export type ExportSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type ExportTrace = { 
/**
 * Which turn.
 */
turn_id: TurnId, };

export type ExportedTurn = { 
/**
 * Its items, in order.
 */
items: Array<Item>, 
/**
 * Its id.
 */
id: TurnId, 
/**
 * The session it belongs to.
 */
session_id: SessionId, 
/**
 * Where it stands.
 */
state: TurnState, 
/**
 * The model that answered; after a switch, the one that took over.
 */
model: ModelRef, 
/**
 * Tokens used by all its requests.
 */
usage: Usage, 
/**
 * Why it ended, once it has.
 */
finish: FinishReason | null, 
/**
 * Why it failed, if it did.
 */
failure: TurnFailure | null, 
/**
 * When the user's message was written down.
 */
started_at: Timestamp, 
/**
 * When it ended.
 */
finished_at: Timestamp | null, };

export type FactSource = "user" | "service" | "learned" | "table";

export type FileChangeId = string;

export type FileChangeKind = "created" | "changed" | "deleted";

export type FileChangeView = { 
/**
 * Its id.
 */
id: FileChangeId, 
/**
 * The turn that made it.
 */
turn_id: TurnId, 
/**
 * The tool call that made it.
 */
item_id: ItemId, 
/**
 * What changed.
 */
diff: FileDiff, 
/**
 * When.
 */
at: Timestamp, 
/**
 * Whether the user took it back.
 */
undone: boolean, 
/**
 * Whether what the file held is no longer kept: nobody can take the change back then.
 */
lost: boolean, };

export type FileDiff = { 
/**
 * Which file.
 */
path: string, 
/**
 * Whether it is there before, after, or both.
 */
change: FileChangeKind, 
/**
 * Lines added, in all.
 */
added: number, 
/**
 * Lines removed, in all.
 */
removed: number, 
/**
 * The changed places with some lines around them; empty for a file that is no text.
 */
hunks: Array<DiffHunk>, 
/**
 * Whether there are more hunks than are given.
 */
cut: boolean, };

export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "cancelled" | "round_limit" | "no_progress";

export type FinishedCall = { 
/**
 * The tool.
 */
name: string, 
/**
 * What it was asked.
 */
arguments: unknown, 
/**
 * What the model was told.
 */
result: string, 
/**
 * Whether it failed.
 */
is_error: boolean, };

export type Folder = { 
/**
 * Absolute, without links.
 */
path: string, 
/**
 * Whether its files may be changed, or only read.
 */
access: FolderAccess, 
/**
 * Whether instructions in it (`AGENTS.md` and its kin) are read. Only the user says so.
 */
trusted: boolean, };

export type FolderAccess = "read" | "write";

export type ForkSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type GrantFolder = { 
/**
 * Which session.
 */
session_id: SessionId, 
/**
 * The folder, by its whole path.
 */
folder: Folder, };

export type ImportSession = { 
/**
 * The exported session.
 */
document: SessionExport, };

export type Item = { 
/**
 * Its id.
 */
id: ItemId, 
/**
 * The turn it belongs to.
 */
turn_id: TurnId, 
/**
 * What it is.
 */
content: ItemContent, 
/**
 * When it began.
 */
started_at: Timestamp, 
/**
 * When it was complete; none while it streams or runs.
 */
finished_at: Timestamp | null, };

export type ItemContent = { "kind": "user_text", 
/**
 * The text as typed.
 */
text: string, 
/**
 * The files that came with it.
 */
attachments?: Array<Attachment>, } | { "kind": "model_text", 
/**
 * Markdown.
 */
text: string, } | { "kind": "reasoning", 
/**
 * Plain text; empty when the service keeps it to itself.
 */
text: string, } | { "kind": "tool_call", 
/**
 * What the model asked for.
 */
call: ToolCall, 
/**
 * What came of it. None: it has not finished.
 */
result: ToolResult | null, 
/**
 * Which of the turn's answers made the call, from 1. Calls of one answer go back to the
 * model in one message.
 */
round: number, 
/**
 * How it came to be done or not; none until that is decided.
 */
approval?: Approval, } | { "kind": "notice", 
/**
 * What happened.
 */
notice: Notice, };

export type ItemId = string;

export type ItemView = { 
/**
 * The blocks of a model text; empty for other kinds.
 */
blocks: Array<Block>, 
/**
 * Its id.
 */
id: ItemId, 
/**
 * The turn it belongs to.
 */
turn_id: TurnId, 
/**
 * What it is.
 */
content: ItemContent, 
/**
 * When it began.
 */
started_at: Timestamp, 
/**
 * When it was complete; none while it streams or runs.
 */
finished_at: Timestamp | null, };

export type KeyInput = { "from": "unchanged" } | { "from": "typed", 
/**
 * The key.
 */
value: string, } | { "from": "environment", 
/**
 * The variable.
 */
variable: string, } | { "from": "none" };

export type KeyringProblem = "missing" | "locked" | "timed_out" | "not_kept";

export type Known<T> = { 
/**
 * The fact.
 */
value: T, 
/**
 * Who says so.
 */
source: FactSource, };

export type KnownFacts = { 
/**
 * Tokens it can take and give together.
 */
context_window: Known<number> | null, 
/**
 * Tokens it gives in one answer at most.
 */
max_output_tokens: Known<number> | null, 
/**
 * Whether it calls tools.
 */
tools: Known<boolean> | null, 
/**
 * Whether it takes images.
 */
images: Known<boolean> | null, 
/**
 * Whether it takes PDF files as they are.
 */
documents: Known<boolean> | null, 
/**
 * Whether it can think before it answers.
 */
reasoning: Known<boolean> | null, 
/**
 * What its tokens cost here.
 */
price: Known<Price> | null, };

export type Language = "en" | "zh-CN";

export type LanguageChoice = "system" | "en" | "zh-CN";

export type LayerKind = "rules" | "context_files" | "tools" | "summary" | "history" | "earlier_steps" | "input" | "steps";

export type LineChange = "same" | "added" | "removed";

export type ListCompactions = { 
/**
 * Which session.
 */
session_id: SessionId, };

export type ListFileChanges = { 
/**
 * Which session.
 */
session_id: SessionId, 
/**
 * Of this turn only.
 */
turn_id?: TurnId, };

export type ListFolders = { 
/**
 * Which session.
 */
session_id: SessionId, };

export type ListModels = { 
/**
 * Which service.
 */
id: ServiceId, };

export type ListNoteVersions = { 
/**
 * Which.
 */
path: string, };

export type ListNotes = { 
/**
 * Any text; blank lists all.
 */
query: string, };

export type ListProcesses = { 
/**
 * Which session.
 */
session_id: SessionId, };

export type ListQuestions = { 
/**
 * Of this session only.
 */
session_id?: SessionId, };

export type ListSessions = { 
/**
 * The archived ones instead of the others.
 */
archived: boolean, };

export type ListToolSecrets = Record<symbol, never>;

export type ListTraces = { 
/**
 * Any text; each word of it must stand in the trace. Empty: all.
 */
query: string, 
/**
 * At most so many.
 */
limit: number, };

export type ListTurns = { 
/**
 * In which session.
 */
session_id: SessionId, 
/**
 * Only turns before this one.
 */
before: TurnId, 
/**
 * At most so many.
 */
limit: number, };

export type ListedModel = { 
/**
 * The service's name for it.
 */
name: ModelName, 
/**
 * What the service tells of it.
 */
facts: ModelFacts, };

export type LoadImage = { 
/**
 * Its address; `https` or `http`.
 */
url: string, };

export type LoadedImage = { 
/**
 * A `data:` address.
 */
data_url: string, };

export type LocalService = { 
/**
 * Its id, such as `ollama`.
 */
id: string, 
/**
 * Its name, such as "Ollama".
 */
name: string, 
/**
 * The address requests go to.
 */
base_url: string, 
/**
 * What it can run; empty if it has no model yet.
 */
models: Array<ListedModel>, };

export type LongRates = { 
/**
 * A request that sends more tokens than this is long.
 */
above: number, 
/**
 * Its rates.
 */
rates: Rates, };

export type Message = { "role": "system", 
/**
 * The prompt's text.
 */
text: string, } | { "role": "user", 
/**
 * The text.
 */
text: string, 
/**
 * The files that came with it.
 */
attachments?: Array<Attachment>, } | { "role": "assistant", 
/**
 * Its words; empty when it only called tools.
 */
text: string, 
/**
 * Its reasoning, sent back only to the service and model that demand it.
 */
reasoning?: string | null, 
/**
 * The tools it called, in order.
 */
calls?: Array<ToolCall>, } | { "role": "tool", 
/**
 * Which call this answers.
 */
call_id: string, 
/**
 * The tool's name; some services demand it beside the id.
 */
name: string, 
/**
 * What the tool said.
 */
text: string, 
/**
 * Whether the tool failed.
 */
is_error: boolean, };

export type Mode = "ask" | "edit_files" | "act_freely";

export type ModelFacts = { 
/**
 * Tokens it can take and give together.
 */
context_window: number | null, 
/**
 * Tokens it gives in one answer at most.
 */
max_output_tokens: number | null, 
/**
 * Whether it calls tools.
 */
tools: boolean | null, 
/**
 * Whether it takes images.
 */
images: boolean | null, 
/**
 * Whether it takes PDF files as they are.
 */
documents: boolean | null, 
/**
 * Whether it can think before it answers.
 */
reasoning: boolean | null, 
/**
 * What its tokens cost here.
 */
price: Price | null, };

export type ModelName = string;

export type ModelRef = { 
/**
 * The service that runs it.
 */
service: ServiceId, 
/**
 * The service's name for it.
 */
model: ModelName, };

export type ModelView = { 
/**
 * Which.
 */
model: ModelRef, 
/**
 * What is known, each fact with who says so.
 */
known: KnownFacts, 
/**
 * What the user said of it; the rest is none.
 */
set: ModelFacts, 
/**
 * The window that is kept to, in tokens: the known one, else a cautious guess.
 */
window: number, 
/**
 * The day the bundled table was checked.
 */
table_date: string, };

export type Note = { 
/**
 * The Markdown text, exactly as on disk.
 */
text: string, 
/**
 * Identifies this content. A save names it, so that a change made meanwhile is never lost.
 */
version: string, 
/**
 * Path inside the notes folder, with `/` and the `.md` ending. Identifies the note.
 */
path: string, 
/**
 * Its title: the first top-level heading, else the file's name.
 */
title: string, 
/**
 * The first words after the title, for the list; in a search, the words around the hit.
 */
excerpt: string, 
/**
 * Who wrote the current version.
 */
author: NoteAuthor, 
/**
 * The session it was last saved from, if the agent or a selection saved it.
 */
session_id: SessionId | null, 
/**
 * When the file last changed.
 */
updated_at: Timestamp, };

export type NoteAuthor = "user" | "agent";

export type NoteSummary = { 
/**
 * Path inside the notes folder, with `/` and the `.md` ending. Identifies the note.
 */
path: string, 
/**
 * Its title: the first top-level heading, else the file's name.
 */
title: string, 
/**
 * The first words after the title, for the list; in a search, the words around the hit.
 */
excerpt: string, 
/**
 * Who wrote the current version.
 */
author: NoteAuthor, 
/**
 * The session it was last saved from, if the agent or a selection saved it.
 */
session_id: SessionId | null, 
/**
 * When the file last changed.
 */
updated_at: Timestamp, };

export type NoteVersion = { 
/**
 * Identifies the content.
 */
version: string, 
/**
 * Who wrote it.
 */
author: NoteAuthor, 
/**
 * When it was saved.
 */
saved_at: Timestamp, 
/**
 * Its size in bytes.
 */
size: number, };

export type Notice = { "about": "model_switched", 
/**
 * The model that failed.
 */
from: ModelRef, 
/**
 * The model that took over.
 */
to: ModelRef, 
/**
 * How the first one failed.
 */
code: ErrorCode, 
/**
 * What was said.
 */
message: string, } | { "about": "input_cut", 
/**
 * Tokens sent, as estimated.
 */
sent: number, 
/**
 * Tokens the service says it read.
 */
read: number, } | { "about": "context_shortened", 
/**
 * The shortening, which can be looked at and undone.
 */
compaction: Compaction, } | { "about": "context_full", 
/**
 * The model's window in tokens.
 */
window: number, 
/**
 * What the rules, the tools and the user's words alone take.
 */
fixed: number, } | { "about": "summary_failed" } | { "about": "no_progress", 
/**
 * The tool it called again and again.
 */
tool: string, 
/**
 * How often.
 */
times: number, } | { "about": "not_concluded" } | { "about": "tools_left_out" } | { "about": "images_left_out" } | { "about": "instructions_left_out", 
/**
 * Where they stand.
 */
path: string, 
/**
 * Because they try to take over; else because there is no room for them.
 */
is_suspicious: boolean, };

export type OpenSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type PasteImage = Record<symbol, never>;

export type PermissionRule = { 
/**
 * The tool it is about, or a kind of tools: `file`, `terminal`, `web`, `notes`; none means
 * every tool.
 */
tool?: string, 
/**
 * What it is about: the first words of a command (`git status`), a path (`/srv/site/**`), or a
 * host (`*.example.org`). `*` stands for anything. None means whatever the tool does.
 */
pattern?: string, 
/**
 * What is then done.
 */
verdict: Verdict, };

export type PinSession = { 
/**
 * Which.
 */
session_id: SessionId, 
/**
 * Whether it is kept there.
 */
pinned: boolean, };

export type Preset = { 
/**
 * Its id, also the first choice for the configured service's id.
 */
id: string, 
/**
 * Its name in English.
 */
name: string, 
/**
 * Its name in Chinese, where it has one.
 */
name_zh: string, 
/**
 * The address requests go to.
 */
base_url: string, 
/**
 * The protocol it speaks.
 */
protocol: Protocol, 
/**
 * The page where a key is made.
 */
key_page: string, 
/**
 * A sensible model to begin with.
 */
default_model: string, 
/**
 * The variable its users keep their key in.
 */
key_variable: string, 
/**
 * Whether it can be signed in to in the browser.
 */
sign_in: boolean, };

export type Preview = { "kind": "arguments" } | { "kind": "diff", 
/**
 * The change.
 */
diff: FileDiff, };

export type Price = { 
/**
 * The rates of a usual request.
 */
usual: Rates, 
/**
 * The rates of a long one, where the service asks more for it.
 */
long: LongRates | null, };

export type ProcessView = { 
/**
 * Its number within its session.
 */
id: number, 
/**
 * The command.
 */
command: string, 
/**
 * Whether it still runs.
 */
running: boolean, 
/**
 * What it ended with; none while it runs, or if a signal ended it.
 */
exit_code: number | null, 
/**
 * How long it has run, or ran, in seconds.
 */
seconds: number, 
/**
 * What it put out, bounded.
 */
output: string, };

export type ProofEvent = { 
/**
 * Which step.
 */
step: ProofStep, } & ({ "state": "running" } | { "state": "passed", 
/**
 * What was seen, in no language: a host, a count of models, the model's first words, a
 * tool's name, a window in tokens. Empty where there is nothing to show.
 */
detail: string, 
/**
 * How long it took, in milliseconds.
 */
millis: number, } | { "state": "limited", 
/**
 * What the user can do.
 */
remedy: Remedy, 
/**
 * What the service or the model said, or the names of similar models; may be empty.
 */
message: string, } | { "state": "failed", 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What the user can do.
 */
remedy: Remedy, 
/**
 * What the service or the system said.
 */
message: string, } | { "state": "skipped" });

export type ProofStep = "reach" | "key" | "models" | "answer" | "tool_call" | "window";

export type Protocol = "openai_chat" | "openai_responses" | "anthropic_messages";

export type ProveService = { 
/**
 * Which service.
 */
id: ServiceId, 
/**
 * Which model.
 */
model: ModelName, };

export type Question = { 
/**
 * Its id.
 */
id: QuestionId, 
/**
 * The session whose turn asks.
 */
session_id: SessionId, 
/**
 * The turn.
 */
turn_id: TurnId, 
/**
 * The tool call that waits for the answer.
 */
item_id: ItemId, 
/**
 * When it was asked.
 */
asked_at: Timestamp, 
/**
 * When it counts as answered with no.
 */
expires_at: Timestamp, 
/**
 * What is asked.
 */
content: QuestionContent, };

export type QuestionContent = { "kind": "permission", 
/**
 * The tool that would do it.
 */
tool: string, 
/**
 * What it would do.
 */
act: Act, 
/**
 * Why it is asked.
 */
reason: AskReason, 
/**
 * How far a yes can be made to reach, beside this once.
 */
reaches: Array<Reach>, } | { "kind": "choice", 
/**
 * The question.
 */
text: string, 
/**
 * The answers to choose from; none if only free words fit.
 */
options: Array<string>, 
/**
 * Whether several may be chosen.
 */
several: boolean, };

export type QuestionEnd = "answered" | "timed_out" | "unasked" | "withdrawn";

export type QuestionId = string;

export type Rates = { 
/**
 * Tokens sent.
 */
input: number, 
/**
 * Tokens received, reasoning included.
 */
output: number, 
/**
 * Tokens sent that the service had cached. None: as others that are sent.
 */
cached_input: number | null, 
/**
 * Tokens sent that the service cached for later. None: as others that are sent.
 */
cache_written: number | null, };

export type Reach = "once" | "session" | "always" | "folder";

export type ReadAbout = Record<symbol, never>;

export type ReadAttachment = { 
/**
 * Which.
 */
id: AttachmentId, };

export type ReadAuthorization = { 
/**
 * Which attempt.
 */
attempt: string, };

export type ReadContext = { 
/**
 * Which session.
 */
session_id: SessionId, };

export type ReadModel = { 
/**
 * Which.
 */
model: ModelRef, };

export type ReadNote = { 
/**
 * Which.
 */
path: string, };

export type ReadNoteVersion = { 
/**
 * Which note.
 */
path: string, 
/**
 * Which version.
 */
version: string, };

export type ReadSecretStore = Record<symbol, never>;

export type ReadSentMessages = { 
/**
 * Which session.
 */
session_id: SessionId, };

export type ReadSettings = Record<symbol, never>;

export type ReadSetup = Record<symbol, never>;

export type ReadTrace = { 
/**
 * Which turn.
 */
turn_id: TurnId, };

export type ReadWebSearch = Record<symbol, never>;

export type Remedy = "check_address" | "start_local_service" | "check_network" | "check_proxy" | "check_certificate" | "check_key" | "add_credit" | "choose_model" | "pull_model" | "choose_tool_model" | "wait_and_retry" | "set_window" | "read_message";

export type RemoveService = { 
/**
 * Which.
 */
id: ServiceId, };

export type RemoveToolSecret = { 
/**
 * Its name.
 */
name: string, };

export type RenameNote = { 
/**
 * Which.
 */
path: string, 
/**
 * The new title.
 */
title: string, };

export type RenameSession = { 
/**
 * Which.
 */
session_id: SessionId, 
/**
 * The title; blank gives it back to the automatic one.
 */
title: string, };

export type RenderMarkdown = { 
/**
 * The text.
 */
text: string, };

export type RequestTrace = { 
/**
 * The model that was asked.
 */
model: ModelRef, 
/**
 * Messages in it.
 */
messages: number, 
/**
 * The tools that were offered, by name: the model chooses among these.
 */
tools: Array<string>, 
/**
 * The size of the request as JSON, in bytes.
 */
bytes: number, 
/**
 * The SHA-256 of that JSON, in hexadecimal: the same for the same request.
 */
sha256: string, 
/**
 * Its tokens as they were estimated before it was sent.
 */
estimated_tokens: number | null, 
/**
 * Its tokens as the service counted them, and their cost.
 */
usage: Usage, 
/**
 * From sending to the first piece of an answer, in milliseconds.
 */
first_piece_ms: number | null, 
/**
 * Why the answer ended.
 */
finish: FinishReason | null, 
/**
 * The tools that the answer called, in order.
 */
calls: Array<string>, 
/**
 * Each time that it was sent again, and why.
 */
retries: Array<Resend>, 
/**
 * How it failed in the end, if it did.
 */
failure: TurnFailure | null, 
/**
 * The request itself, where the settings say that bodies are kept.
 */
body?: unknown, };

export type Resend = { 
/**
 * Which attempt followed, from 2.
 */
attempt: number, 
/**
 * How the one before failed.
 */
code: ErrorCode, 
/**
 * What was said.
 */
message: string, 
/**
 * How long was waited, in milliseconds.
 */
wait_ms: number, };

export type RestoreNote = { 
/**
 * Which, by the path it had.
 */
path: string, };

export type RestoreSession = { 
/**
 * Which.
 */
session_id: SessionId, };

export type RestoreTurns = { 
/**
 * Which.
 */
session_id: SessionId, };

export type RetryTurn = { 
/**
 * The turn; it must be its session's last.
 */
turn_id: TurnId, };

export type RevokeFolder = { 
/**
 * Which session.
 */
session_id: SessionId, 
/**
 * The folder's path, as it is listed.
 */
path: string, };

export type RunDoctor = Record<symbol, never>;

export type SaveDraft = { 
/**
 * In which session.
 */
session_id: SessionId, 
/**
 * The text; nothing at all forgets it.
 */
text: string, 
/**
 * The files that wait beside it.
 */
attachments?: Array<AttachmentId>, };

export type SaveNote = { 
/**
 * Which.
 */
path: string, 
/**
 * The Markdown text.
 */
text: string, 
/**
 * The version the edit began from.
 */
version: string, };

export type SaveService = { 
/**
 * The service to change; none makes a new one.
 */
id: ServiceId | null, 
/**
 * Its name for people.
 */
name: string, 
/**
 * The preset it is made from.
 */
preset: string | null, 
/**
 * The address, in any usual form; it is brought into the one right form.
 */
base_url: string, 
/**
 * The protocol it speaks.
 */
protocol: Protocol, 
/**
 * Its key.
 */
key: KeyInput, };

export type SaveToolSecret = { 
/**
 * The variable that a command gets it as, such as `GITHUB_TOKEN`.
 */
name: string, 
/**
 * The value.
 */
value: string, };

export type SaveWebSearch = { 
/**
 * A service's id; none: the web is not searched, and no key is kept.
 */
service: string | null, 
/**
 * Its address; blank for the usual one.
 */
base_url: string, 
/**
 * A key; none leaves the one that is kept for this service at this host.
 */
key: string | null, };

export type SearchHit = { 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * Its title.
 */
title: string, 
/**
 * The turn the words stand in.
 */
turn_id: TurnId, 
/**
 * The words around the hit, as runs of plain and matching text.
 */
excerpt: Array<ExcerptRun>, };

export type SearchSessions = { 
/**
 * Any text of the user's.
 */
query: string, 
/**
 * At most so many hits.
 */
limit: number, };

export type SecretStoreView = { 
/**
 * The store.
 */
store: StoreState, };

export type ServiceId = string;

export type ServiceView = { 
/**
 * Its id.
 */
id: ServiceId, 
/**
 * Its name for people.
 */
name: string, 
/**
 * The preset it was made from.
 */
preset: string | null, 
/**
 * The address requests go to.
 */
base_url: string, 
/**
 * The protocol it speaks.
 */
protocol: Protocol, 
/**
 * Whether a key is kept for it.
 */
has_key: boolean, };

export type Session = { 
/**
 * Its id.
 */
id: SessionId, 
/**
 * Its title; empty while `title_origin` is `none`.
 */
title: string, 
/**
 * Who wrote the title.
 */
title_origin: TitleOrigin, 
/**
 * The model the next turn will use; none until one is set up.
 */
model: ModelRef | null, 
/**
 * Where it began.
 */
source: SessionSource, 
/**
 * How much it may do without asking.
 */
mode: Mode, 
/**
 * Kept at the top of the list.
 */
pinned: boolean, 
/**
 * Out of the list, still searchable.
 */
archived: boolean, 
/**
 * When it was made.
 */
created_at: Timestamp, 
/**
 * When something last happened in it.
 */
updated_at: Timestamp, };

export type SessionExport = { 
/**
 * The format's version; 1.
 */
version: number, 
/**
 * The session.
 */
session: Session, 
/**
 * All its turns, oldest first.
 */
turns: Array<ExportedTurn>, 
/**
 * The files that came with its messages.
 */
attachments?: Array<AttachmentContent>, };

export type SessionId = string;

export type SessionLine = { 
/**
 * Its last words, in one line.
 */
last_words: string, 
/**
 * The turn that runs in it now.
 */
running: TurnId | null, 
/**
 * Whether that turn waits for the user's answer.
 */
waiting: boolean, 
/**
 * Its id.
 */
id: SessionId, 
/**
 * Its title; empty while `title_origin` is `none`.
 */
title: string, 
/**
 * Who wrote the title.
 */
title_origin: TitleOrigin, 
/**
 * The model the next turn will use; none until one is set up.
 */
model: ModelRef | null, 
/**
 * Where it began.
 */
source: SessionSource, 
/**
 * How much it may do without asking.
 */
mode: Mode, 
/**
 * Kept at the top of the list.
 */
pinned: boolean, 
/**
 * Out of the list, still searchable.
 */
archived: boolean, 
/**
 * When it was made.
 */
created_at: Timestamp, 
/**
 * When something last happened in it.
 */
updated_at: Timestamp, };

export type SessionSource = "desktop" | "cli" | "import";

export type SessionView = { 
/**
 * The session.
 */
session: SessionLine, 
/**
 * What is typed and not yet sent.
 */
draft: string, 
/**
 * The files that wait beside it.
 */
draft_attachments: Array<Attachment>, 
/**
 * What all its turns took so far.
 */
usage: Usage, 
/**
 * The latest turns, oldest first.
 */
turns: Array<TurnView>, 
/**
 * Whether `list_turns` has earlier ones.
 */
has_earlier: boolean, };

export type SetContextWindow = { 
/**
 * Which service.
 */
id: ServiceId, 
/**
 * The window in tokens; none goes back to what is known of each model.
 */
tokens: number | null, };

export type SetModelFacts = { 
/**
 * Which.
 */
model: ModelRef, 
/**
 * What the user says; a fact that is none is left to the other sources.
 */
facts: ModelFacts, };

export type SetSessionMode = { 
/**
 * Which session.
 */
session_id: SessionId, 
/**
 * How much.
 */
mode: Mode, };

export type SetSessionModel = { 
/**
 * Which session.
 */
session_id: SessionId, 
/**
 * The model.
 */
model: ModelRef, };

export type SettingsView = { 
/**
 * The language the user chose; none follows the system.
 */
language: Language | null, 
/**
 * The language in effect.
 */
effective_language: Language, 
/**
 * The theme.
 */
theme: Theme, 
/**
 * The size of everything, in percent from 80 to 200.
 */
zoom: number, 
/**
 * The notes folder in effect.
 */
notes_folder: string, 
/**
 * Whether that is the folder in the data root.
 */
notes_folder_is_default: boolean, 
/**
 * The model new sessions begin with.
 */
model: ModelRef | null, 
/**
 * The models that answer, in order, while the one in use is out; empty unless set.
 */
fallbacks: Array<ModelRef>, 
/**
 * How much new sessions may do without asking.
 */
default_mode: Mode, 
/**
 * The standing rules about what tools may do.
 */
rules: Array<PermissionRule>, 
/**
 * Hosts of the own computer or network that pages may be fetched from all the same.
 */
web_allowed_hosts: Array<string>, 
/**
 * After so many days a turn's trace is deleted.
 */
trace_days: number, 
/**
 * Whether traces keep requests whole.
 */
trace_bodies: boolean, 
/**
 * The configured services.
 */
services: Array<ServiceView>, 
/**
 * Whether the first-run guide was finished or skipped.
 */
setup_done: boolean, 
/**
 * Where everything is kept.
 */
data_root: string, };

export type SetupView = { 
/**
 * The services known by name.
 */
presets: Array<Preset>, 
/**
 * Keys found in the environment; their values are not read before the user says so.
 */
environment_keys: Array<EnvironmentKey>, 
/**
 * Where keys are kept.
 */
secret_store: StoreState, 
/**
 * The system's proxy, if one is set; never used for this computer itself.
 */
proxy: string | null, };

export type Shown = { "kind": "diff", 
/**
 * How.
 */
diff: FileDiff, } | { "kind": "command", 
/**
 * Its exit code; none while it goes on in the background, or if a signal ended it.
 */
exit_code: number | null, 
/**
 * What it wrote last, bounded.
 */
output: string, 
/**
 * Whether the system held it to its folders.
 */
sandboxed: boolean, } | { "kind": "page", 
/**
 * Where it ended up.
 */
url: string, 
/**
 * Its title.
 */
title: string, } | { "kind": "links", 
/**
 * What was found, best first.
 */
links: Array<WebHit>, } | { "kind": "todo", 
/**
 * Its entries.
 */
entries: Array<TodoEntry>, };

export type Span = { 
/**
 * Its id.
 */
id: SpanId, 
/**
 * The span it is part of; none for the turn itself.
 */
parent: SpanId | null, 
/**
 * The turn.
 */
turn_id: TurnId, 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * When it began.
 */
started_at: Timestamp, 
/**
 * When it ended; the same moment for what takes no time.
 */
ended_at: Timestamp, 
/**
 * What it was.
 */
content: SpanContent, };

export type SpanContent = { "kind": "turn", 
/**
 * The model that answered last.
 */
model: ModelRef, 
/**
 * How it ended.
 */
state: TurnState, 
/**
 * Tokens over all requests.
 */
usage: Usage, 
/**
 * Why it ended, where that is no failure.
 */
finish: FinishReason | null, 
/**
 * How it failed, if it did.
 */
failure: TurnFailure | null, } | { "kind": "request", 
/**
 * What was asked and what came of it.
 */
request: RequestTrace, } | { "kind": "choice", 
/**
 * What was chosen.
 */
choice: ChoiceTrace, } | { "kind": "tool_call", 
/**
 * The item it is in the session.
 */
item_id: ItemId, 
/**
 * The call's id at the service.
 */
call_id: string, 
/**
 * The tool.
 */
name: string, 
/**
 * What it was asked, bounded.
 */
arguments: unknown, 
/**
 * What the model was told, bounded; none for one that did not end.
 */
result: string | null, 
/**
 * Whether it failed.
 */
failed: boolean, } | { "kind": "permission", 
/**
 * The call.
 */
item_id: ItemId, 
/**
 * The tool.
 */
tool: string, 
/**
 * The decision, and who made it.
 */
approval: Approval, 
/**
 * Why the user was asked; none if nobody was.
 */
reason: AskReason | null, 
/**
 * How the question ended; none if there was none.
 */
end: QuestionEnd | null, } | { "kind": "compaction", 
/**
 * How.
 */
compaction: Compaction, } | { "kind": "notice", 
/**
 * What.
 */
notice: Notice, };

export type SpanId = string;

export type StartTurn = { 
/**
 * In which session.
 */
session_id: SessionId, 
/**
 * What the user wrote; may be empty if files come with it.
 */
text: string, 
/**
 * The files that come with it.
 */
attachments?: Array<AttachmentId>, };

export type StopCompaction = { 
/**
 * Of which session.
 */
session_id: SessionId, };

export type StopProcess = { 
/**
 * Of which session.
 */
session_id: SessionId, 
/**
 * Its number.
 */
id: number, };

export type StopTurn = { 
/**
 * Which.
 */
turn_id: TurnId, };

export type StoreChoice = { "backend": "keyring" } | { "backend": "file", 
/**
 * What seals it.
 */
passphrase: string, } | { "backend": "memory" };

export type StoreState = { 
/**
 * The active backend; none until one works or is chosen.
 */
active: Backend | null, 
/**
 * The keyring's name for people, such as "Secret Service" or "Windows Credential Manager".
 */
keyring_name: string, 
/**
 * Why the keyring can't be used, if so.
 */
keyring_problem: KeyringProblem | null, 
/**
 * Whether a sealed file exists and waits for its passphrase.
 */
file_locked: boolean, };

export type Suspicion = { 
/**
 * Where it was found: a path, an address, a note's title.
 */
origin: string, 
/**
 * The id of the rule that found it.
 */
rule: string, 
/**
 * The words, bounded.
 */
excerpt: string, };

export type Theme = "system" | "light" | "dark";

export type Timestamp = number;

export type TitleOrigin = "none" | "automatic" | "user";

export type TodoEntry = { 
/**
 * What is to be done.
 */
text: string, 
/**
 * Where it stands.
 */
state: TodoState, };

export type TodoState = "pending" | "active" | "done" | "dropped";

export type ToolCall = { 
/**
 * The call's id, unique within its session; answers refer to it.
 */
id: string, 
/**
 * The tool's name as the model wrote it.
 */
name: string, 
/**
 * The arguments: an object if they could be read, else the raw text as a string.
 */
arguments: unknown, 
/**
 * The model printed the call as text, and it was read out of there.
 */
recovered?: boolean, };

export type ToolResult = { 
/**
 * What the model is told.
 */
text: string, 
/**
 * Whether the tool failed.
 */
is_error: boolean, 
/**
 * Where the text came from, if it is not the tool's own: a path, an address, a command. The
 * model is then given it as data.
 */
source?: string, 
/**
 * What the model is told beside it, by us: how its turn goes.
 */
advice?: string, 
/**
 * Instructions that were found in what the tool brought. The model is told that they are data;
 * the user sees them.
 */
suspicions?: Array<Suspicion>, 
/**
 * What the user is shown instead of the text, where there is something better. Never sent to
 * a model.
 */
shown?: Shown, };

export type ToolSecret = { 
/**
 * Its name.
 */
name: string, };

export type Trace = { 
/**
 * The turn in one line.
 */
line: TraceLine, 
/**
 * What happened, in the order in which it began. The one without a parent is the turn itself;
 * it is there once the turn has ended.
 */
spans: Array<Span>, };

export type TraceExport = unknown;

export type TraceLine = { 
/**
 * The turn.
 */
turn_id: TurnId, 
/**
 * Its session.
 */
session_id: SessionId, 
/**
 * The session's title; empty for one that is deleted.
 */
title: string, 
/**
 * The model that was asked last.
 */
model: ModelRef | null, 
/**
 * When it began.
 */
started_at: Timestamp, 
/**
 * How long it took, in milliseconds.
 */
duration_ms: number, 
/**
 * How many spans it has.
 */
spans: number, 
/**
 * Tokens of all its requests, in and out.
 */
tokens: number, 
/**
 * What they cost, as far as that is known.
 */
cost: Cost | null, 
/**
 * How it ended.
 */
state: TurnState, };

export type TryWebSearch = { 
/**
 * The words.
 */
query: string, };

export type Turn = { 
/**
 * Its id.
 */
id: TurnId, 
/**
 * The session it belongs to.
 */
session_id: SessionId, 
/**
 * Where it stands.
 */
state: TurnState, 
/**
 * The model that answered; after a switch, the one that took over.
 */
model: ModelRef, 
/**
 * Tokens used by all its requests.
 */
usage: Usage, 
/**
 * Why it ended, once it has.
 */
finish: FinishReason | null, 
/**
 * Why it failed, if it did.
 */
failure: TurnFailure | null, 
/**
 * When the user's message was written down.
 */
started_at: Timestamp, 
/**
 * When it ended.
 */
finished_at: Timestamp | null, };

export type TurnFailure = { 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What the service or the system said, without secrets.
 */
message: string, };

export type TurnId = string;

export type TurnPage = { 
/**
 * The turns.
 */
turns: Array<TurnView>, 
/**
 * Whether there are still earlier ones.
 */
has_earlier: boolean, };

export type TurnState = "running" | "finished" | "cancelled" | "failed" | "interrupted";

export type TurnView = { 
/**
 * What happened in it, in order. The first is the user's text.
 */
items: Array<ItemView>, 
/**
 * Its id.
 */
id: TurnId, 
/**
 * The session it belongs to.
 */
session_id: SessionId, 
/**
 * Where it stands.
 */
state: TurnState, 
/**
 * The model that answered; after a switch, the one that took over.
 */
model: ModelRef, 
/**
 * Tokens used by all its requests.
 */
usage: Usage, 
/**
 * Why it ended, once it has.
 */
finish: FinishReason | null, 
/**
 * Why it failed, if it did.
 */
failure: TurnFailure | null, 
/**
 * When the user's message was written down.
 */
started_at: Timestamp, 
/**
 * When it ended.
 */
finished_at: Timestamp | null, };

export type UndoCompaction = { 
/**
 * In which session.
 */
session_id: SessionId, 
/**
 * Which compaction.
 */
compaction_id: CompactionId, };

export type UndoFileChanges = { 
/**
 * Which changes; of one session.
 */
ids: Array<FileChangeId>, };

export type UpdateSettings = { 
/**
 * A language, or `system`.
 */
language?: LanguageChoice, 
/**
 * A theme.
 */
theme?: Theme, 
/**
 * A size in percent.
 */
zoom?: number, 
/**
 * A folder, absolute; blank means the one in the data root.
 */
notes_folder?: string, 
/**
 * The model new sessions begin with.
 */
model?: ModelRef, 
/**
 * The models that answer while the one in use is out.
 */
fallbacks?: Array<ModelRef>, 
/**
 * How much new sessions may do without asking.
 */
default_mode?: Mode, 
/**
 * The standing rules, all of them.
 */
rules?: Array<PermissionRule>, 
/**
 * Hosts of the own computer or network that pages may be fetched from all the same.
 */
web_allowed_hosts?: Array<string>, 
/**
 * After so many days a turn's trace is deleted, from 1 to 3,650; from the next start on.
 */
trace_days?: number, 
/**
 * Whether traces keep requests whole.
 */
trace_bodies?: boolean, 
/**
 * Whether the first-run guide is over.
 */
setup_done?: boolean, };

export type Usage = { 
/**
 * Tokens sent, cached ones included.
 */
input_tokens: number, 
/**
 * Of those, tokens the service had cached.
 */
cached_tokens: number, 
/**
 * Of those, tokens the service newly wrote to its cache, where that is billed.
 */
cache_written_tokens: number, 
/**
 * Tokens received, reasoning included.
 */
output_tokens: number, 
/**
 * What they cost; none where no price is known.
 */
cost?: Cost, };

export type Verdict = "allow" | "ask" | "deny";

export type WebHit = { 
/**
 * Its title; its host where it has none.
 */
title: string, 
/**
 * Its address, http or https.
 */
url: string, 
/**
 * Some of its words; empty if the service gave none.
 */
snippet: string, 
/**
 * When it was published, in the service's words.
 */
date: string | null, };

export type WebSearchService = { 
/**
 * Its id.
 */
id: string, 
/**
 * Its name in English.
 */
name: string, 
/**
 * Its name in Chinese.
 */
name_zh: string, 
/**
 * Whether it answers only to who has a key.
 */
needs_key: boolean, 
/**
 * Whether the user must say where it is.
 */
needs_address: boolean, 
/**
 * The page where a key is made, or that tells how the service is set up.
 */
key_page: string, };

export type WebSearchView = { 
/**
 * The services there are.
 */
services: Array<WebSearchService>, 
/**
 * The id of the one that is used; none while the web is not searched.
 */
service: string | null, 
/**
 * Its address, where the user gave one; else blank.
 */
base_url: string, 
/**
 * Whether a key is kept for it.
 */
has_key: boolean, };

export type WindowTurnEvent = { 
/**
 * For a text delta: what changes on the page.
 */
patch?: BlockPatch, } & ({ "type": "turn_started", 
/**
 * The turn.
 */
turn: Turn, 
/**
 * The user's words.
 */
user: Item, } | { "type": "item_started", 
/**
 * The item as it is now.
 */
item: Item, } | { "type": "text_delta", 
/**
 * Which item.
 */
item_id: ItemId, 
/**
 * What to append.
 */
text: string, } | { "type": "reasoning_delta", 
/**
 * Which item.
 */
item_id: ItemId, 
/**
 * What to append.
 */
text: string, } | { "type": "tool_output", 
/**
 * The tool call's item.
 */
item_id: ItemId, 
/**
 * What to append.
 */
text: string, } | { "type": "question_asked", 
/**
 * What is asked.
 */
question: Question, } | { "type": "question_closed", 
/**
 * Which question.
 */
question_id: QuestionId, 
/**
 * How it ended.
 */
end: QuestionEnd, } | { "type": "context_measured", 
/**
 * The layers.
 */
report: ContextReport, } | { "type": "item_finished", 
/**
 * The item as it stays.
 */
item: Item, } | { "type": "retrying", 
/**
 * Which attempt comes next, from 2.
 */
attempt: number, 
/**
 * How long until then, in milliseconds.
 */
wait_ms: number, 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What was said.
 */
message: string, } | { "type": "turn_finished", 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * The turn.
 */
turn_id: TurnId, 
/**
 * The final answer.
 */
text: string, 
/**
 * Why it ended.
 */
finish: FinishReason, 
/**
 * Tokens over all requests.
 */
usage: Usage, 
/**
 * Every tool call of the turn.
 */
tool_calls: Array<FinishedCall>, } | { "type": "error", 
/**
 * The session.
 */
session_id: SessionId, 
/**
 * The turn.
 */
turn_id: TurnId, 
/**
 * The kind of failure.
 */
code: ErrorCode, 
/**
 * What was said.
 */
message: string, 
/**
 * After how long asking again may work, in milliseconds.
 */
retry_after_ms?: number, 
/**
 * For an overflow: the window in tokens, where known.
 */
limit?: number, 
/**
 * Tokens over all requests.
 */
usage: Usage, });

export interface Commands {
  list_sessions: { arguments: ListSessions; result: Array<SessionLine> };
  create_session: { arguments: CreateSession; result: SessionView };
  open_session: { arguments: OpenSession; result: SessionView };
  list_turns: { arguments: ListTurns; result: TurnPage };
  rename_session: { arguments: RenameSession; result: null };
  pin_session: { arguments: PinSession; result: null };
  archive_session: { arguments: ArchiveSession; result: null };
  delete_session: { arguments: DeleteSession; result: null };
  restore_session: { arguments: RestoreSession; result: null };
  clear_session: { arguments: ClearSession; result: null };
  restore_turns: { arguments: RestoreTurns; result: null };
  set_session_model: { arguments: SetSessionModel; result: null };
  set_session_mode: { arguments: SetSessionMode; result: null };
  grant_folder: { arguments: GrantFolder; result: null };
  revoke_folder: { arguments: RevokeFolder; result: null };
  list_folders: { arguments: ListFolders; result: Array<Folder> };
  save_draft: { arguments: SaveDraft; result: null };
  search_sessions: { arguments: SearchSessions; result: Array<SearchHit> };
  export_session: { arguments: ExportSession; result: SessionExport };
  import_session: { arguments: ImportSession; result: SessionView };
  fork_session: { arguments: ForkSession; result: SessionView };
  read_sent_messages: { arguments: ReadSentMessages; result: Array<Message> };
  stop_turn: { arguments: StopTurn; result: null };
  list_file_changes: { arguments: ListFileChanges; result: Array<FileChangeView> };
  undo_file_changes: { arguments: UndoFileChanges; result: Array<FileChangeView> };
  read_context: { arguments: ReadContext; result: ContextReport | null };
  compact_session: { arguments: CompactSession; result: CompactionView };
  stop_compaction: { arguments: StopCompaction; result: null };
  undo_compaction: { arguments: UndoCompaction; result: null };
  list_compactions: { arguments: ListCompactions; result: Array<CompactionView> };
  list_tool_secrets: { arguments: ListToolSecrets; result: Array<ToolSecret> };
  save_tool_secret: { arguments: SaveToolSecret; result: null };
  remove_tool_secret: { arguments: RemoveToolSecret; result: null };
  read_web_search: { arguments: ReadWebSearch; result: WebSearchView };
  save_web_search: { arguments: SaveWebSearch; result: WebSearchView };
  try_web_search: { arguments: TryWebSearch; result: Array<WebHit> };
  list_processes: { arguments: ListProcesses; result: Array<ProcessView> };
  stop_process: { arguments: StopProcess; result: null };
  list_questions: { arguments: ListQuestions; result: Array<Question> };
  answer_question: { arguments: AnswerQuestion; result: null };
  add_attachment: { arguments: AddAttachment; result: Attachment };
  paste_image: { arguments: PasteImage; result: Attachment | null };
  read_attachment: { arguments: ReadAttachment; result: AttachmentContent };
  list_traces: { arguments: ListTraces; result: Array<TraceLine> };
  read_trace: { arguments: ReadTrace; result: Trace };
  export_trace: { arguments: ExportTrace; result: TraceExport };
  list_notes: { arguments: ListNotes; result: Array<NoteSummary> };
  read_note: { arguments: ReadNote; result: Note };
  create_note: { arguments: CreateNote; result: Note };
  save_note: { arguments: SaveNote; result: Note };
  rename_note: { arguments: RenameNote; result: Note };
  delete_note: { arguments: DeleteNote; result: null };
  restore_note: { arguments: RestoreNote; result: Note };
  list_note_versions: { arguments: ListNoteVersions; result: Array<NoteVersion> };
  read_note_version: { arguments: ReadNoteVersion; result: string };
  render_markdown: { arguments: RenderMarkdown; result: Array<Block> };
  load_image: { arguments: LoadImage; result: LoadedImage };
  read_settings: { arguments: ReadSettings; result: SettingsView };
  update_settings: { arguments: UpdateSettings; result: SettingsView };
  read_about: { arguments: ReadAbout; result: About };
  run_doctor: { arguments: RunDoctor; result: Array<Diagnosis> };
  read_setup: { arguments: ReadSetup; result: SetupView };
  discover_services: { arguments: DiscoverServices; result: Array<LocalService> };
  save_service: { arguments: SaveService; result: ServiceView };
  remove_service: { arguments: RemoveService; result: null };
  set_context_window: { arguments: SetContextWindow; result: null };
  list_models: { arguments: ListModels; result: Array<ListedModel> };
  read_model: { arguments: ReadModel; result: ModelView };
  set_model_facts: { arguments: SetModelFacts; result: ModelView };
  begin_authorization: { arguments: BeginAuthorization; result: AuthorizationAttempt };
  read_authorization: { arguments: ReadAuthorization; result: AuthorizationState };
  cancel_authorization: { arguments: CancelAuthorization; result: null };
  read_secret_store: { arguments: ReadSecretStore; result: SecretStoreView };
  choose_secret_store: { arguments: ChooseSecretStore; result: SecretStoreView };
}

export interface Streams {
  start_turn: { arguments: StartTurn; event: WindowTurnEvent };
  retry_turn: { arguments: RetryTurn; event: WindowTurnEvent };
  prove_service: { arguments: ProveService; event: ProofEvent };
}
