// Made by `make wire` from the routes in ui/web/routes: change those, not this file.

type Part = string | number;
type Bare<Path extends string> = Path extends `${infer Start}?${string}` ? Start : Path;

/** One metric's rates. None: undefined, because no thing was counted, or because there is only one item. */
export interface AbsenceRow {
  metric: string;
  explanations: number;
  things: number;
  absent: number;
  share: number | null;
  ci_low: number | null;
  ci_high: number | null;
  with_absent: number;
  share_with: number | null;
}

/** The difference in pairwise accuracy between two metrics, or variants of one metric, in one category, times 100. */
export interface AccuracyDifferenceRow {
  first: string;
  first_label: string;
  second: string;
  second_label: string;
  category: string;
  n: number;
  difference: number | null;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
  p_holm: number | null;
  p_at_most: boolean;
}

/** Pairwise accuracies of one metric in one category, times 100. */
export interface AccuracyRow {
  benchmark: string;
  category: string;
  metric: string;
  label: string;
  variant: string;
  n: number;
  accuracy: number | null;
  ties: number;
  accuracy_half_credit: number | null;
  ci_low: number | null;
  ci_high: number | null;
  note: string;
  published: Array<PublishedFigure>;
}

/** A rater's consent to the consent text that the page showed. */
export interface Agreed {
  yes: true;
  consent?: string | null;
}

/** One coefficient of agreement among raters on one criterion. None: undefined. */
export interface AgreementRow {
  criterion: string;
  metric: string;
  name: string;
  value: number | null;
  ci_low: number | null;
  ci_high: number | null;
  chance: number | null;
  raters: number;
  units: number;
  shared_units: number;
  judgements: number;
  note: string;
}

/** A rater's answers to the questions on a page, in the questions' order. */
export interface Answers {
  answers: Array<string>;
  stamp?: string | null;
}

/** The content of a file with answers that a rater saved on the rating page. */
export interface AnswersBody {
  name: string;
  text: string;
}

/** The content of a file with answers, and whether to create its rater if missing. */
export interface AnswersImportBody {
  name: string;
  text: string;
  new_rater?: boolean;
}

/** Approved control items, and their role (gold or practice). */
export interface ApprovalBody {
  role: "gold" | "training";
  items: Array<ChosenBody>;
}

/** The samples near a point of a plot, the nearest first. */
export interface Around {
  ids: Array<number>;
}

/** The arrival of a rater from a recruitment platform. */
export interface Arrived {
  query: string;
}

/** The histogram of one distribution: percent of the values in each of BINS equal bins of [0, 1]. */
export interface Bars {
  label: string;
  shares: Array<number>;
}

/** A bin of samples with neighbouring scores. All scores and judgements are in [0, 1]. */
export interface BinRow {
  label: string;
  n: number;
  low: number;
  high: number;
  score: number;
  human: number;
  ci_low: number | null;
  ci_high: number | null;
}

/** The results that papers printed for each benchmark, in two groups. */
export interface Board {
  computed: Array<Table_BoardRow_>;
  missing: Array<Table_BoardRow_>;
  remarks: Array<string>;
}

/** A result that papers printed, and the same result computed here. Both values are times 100. */
export interface BoardRow {
  benchmark: string;
  metric: string;
  figure: string;
  printed: number;
  source: string;
  computed: number | null;
  difference: number | null;
  same: string;
  recipe: string;
  reason: string;
  fills: string;
}

/** A change that applies to several raters of a study. */
export interface BulkBody {
  codes: Array<string>;
  action: "exclude" | "include" | "release";
  reason?: string;
}

/** All tables and curves that compare scores with human judgements on the original scale. */
export interface Calibrations {
  errors: Table_ErrorSize_;
  bins: Table_BinRow_;
  best: Table_CutRow_;
  cuts: Table_CutRow_;
  curves: Array<ScoreCurve>;
  good_from: number;
  remarks: Array<string>;
}

/** The comparison of captioners on some samples. */
export interface CaptionerComparison {
  captioners: Table_CaptionerRow_;
  agreement: Table_RankAgreementRow_;
  stability: Table_StabilityRow_;
  curves: Array<StabilityCurve>;
  battles: Table_CaptionerRow_;
  battle_agreement: Table_RankAgreementRow_;
  levels: Table_LevelRow_;
  remarks: Array<string>;
}

/** A captioner's mean scores or Elo ratings; key: the score. None: the captioner has no value for this score. */
export interface CaptionerRow {
  captioner: string;
  captions: number;
  means: Record<string, number | null>;
  lows: Record<string, number | null>;
  highs: Record<string, number | null>;
  ranks: Record<string, number | null>;
}

/** The results of one metric's score on the samples of one category. */
export interface CategoryRow {
  category: string;
  label: string;
  n: number;
  human: number | null;
  score: number | null;
  mean_error: number | null;
  mean_error_low: number | null;
  mean_error_high: number | null;
  mean_absolute_error: number | null;
  tau_b: number | null;
  tau_b_low: number | null;
  tau_b_high: number | null;
  tau_c: number | null;
  tau_c_low: number | null;
  tau_c_high: number | null;
  note: string;
}

/** The result of a change: number of changed raters and of changed items. */
export interface ChangedJson {
  raters: number;
  items: number;
}

/** The answers to the comprehension check, in the order of its questions. */
export interface CheckAnswers {
  attempt: number;
  answers: Array<string>;
}

/** The comprehension check for a rater's next attempt. */
export interface CheckJson {
  attempt: number;
  attempts: number;
  questions: Array<CheckQuestionJson>;
}

/** A question of the comprehension check. The correct answer stays on the server. */
export interface CheckQuestionJson {
  question: string;
  choices: Array<string>;
  given: string;
  why: string;
}

/** A proposed control item (gold or practice) that a manager has checked. */
export interface ChosenBody {
  making: "swapped" | "turned";
  sample: number;
  scores: Array<number>;
}

/** One category of errors. */
export interface Code {
  key: string;
  label: string;
  published: number | null;
}

/** The error code that was replaced or removed. None: the coder had assigned no code. */
export interface CodeBefore {
  before: string | null;
}

/** The error categories of one analysis. */
export interface Codebook {
  name: string;
  source: string;
  codes: Array<Code>;
}

/** The error codes that coders gave, how often each code was given, and how well coders agree. */
export interface Coded {
  codings: Array<[string, string, string]>;
  counts: Table_CodedCount_;
  kappas: Table_CoderAgreement_;
}

/** The frequency of a code, over all coders and by coder. */
export interface CodedCount {
  code: string;
  label: string;
  count: number;
  share: number | null;
  published: number | null;
  by_coder: Record<string, number>;
  ci_low: number | null;
  ci_high: number | null;
}

/** A sample with an error code, as an example for a figure. */
export interface CodedExample {
  id: number;
  key: string;
  code: string;
  coders: Array<string>;
  image: string | null;
  caption: string;
  explanation: string;
  human: number | null;
  value: number;
  raw: number | null;
  error: number | null;
}

/** An exported set of coders' codes that is to be imported. */
export interface CodedSetBody {
  dataset: string;
  metric: string;
  content: Record<string, any>;
}

/** Agreement of two coders: Cohen's kappa. */
export interface CoderAgreement {
  first: string;
  second: string;
  n: number;
  exact: number | null;
  kappa: number | null;
  note: string;
}

/** A column: its head, and the fields of a row that it shows. */
export interface Column {
  head: string;
  fields: Array<string>;
  kind: "text" | "count" | "number" | "share" | "interval" | "difference" | "both" | "published" | "p" | "ranked";
  decimals: number;
  undefined: string;
  strong: boolean;
  brief: boolean;
}

/** Which of the answers stored in a browser the server does not have. */
export interface ComparedJson {
  missing: Array<string>;
  epoch: string;
}

/** A gold item (with known answers) or practice item of a study, and how it was made. */
export interface ControlJson {
  item: number;
  role: "item" | "gold" | "repeat" | "training";
  making: "swapped" | "turned";
  sample: number;
  scores: Array<number>;
  expected: Record<string, [number, number]>;
  approved_by: string;
  approved_at: string;
  retired_at: string | null;
  given: number;
  made: MadeItemJson;
}

/** All results on metrics' agreement with people, and the published values beside them. */
export interface Correlations {
  benchmark: string;
  counted: string;
  taus: Table_TauRow_;
  accuracies: Table_AccuracyRow_;
  differences: Table_DifferenceRow_;
  accuracy_differences: Table_AccuracyDifferenceRow_;
  remarks: Array<string>;
  printed: Array<PrintedRow>;
}

/** What a number of invited raters can rate, and the hours and cost of their work. */
export interface Coverage {
  invited: number;
  finishing: number;
  working: number;
  item_ratings: number;
  ratings_per_item: number;
  items_with_more: number;
  items: number | null;
  minutes: number;
  hours: number;
  pay_each: number | null;
  pay: number | null;
  fee: number | null;
  cost: number | null;
}

/** A question about the rated text, with a scale of 2 to 10 points. */
export interface Criterion {
  key: string;
  name: string;
  question: string;
  guidelines: Array<Guideline>;
  without_image: boolean;
  unseen: Guideline | null;
  needs_picture: boolean;
  compares: boolean;
}

/** The result of calling captions good if their score is at or above a threshold. Shares are times 100. */
export interface CutRow {
  label: string;
  cut: number;
  on_scale: number;
  n: number;
  said: number;
  accuracy: number;
  ci_low: number | null;
  ci_high: number | null;
  balanced: number | null;
  precision: number | null;
  recall: number | null;
  commoner: number;
}

/** A summary of a data set. */
export interface DatasetSummary {
  name: string;
  notice: string;
  samples: number;
  scores: Record<string, number>;
  explained: Record<string, number>;
  unanimous: number;
  images_found: number;
  images_missing: number;
  annotated: number;
}

/** How many participants reached each state on one day. */
export interface DayCount {
  day: string;
  arrived: number;
  screened_out: number;
  practising: number;
  rating: number;
  finished: number;
  returned: number;
  excluded: number;
}

/** A stored decision about a question. */
export interface Decision {
  point: number;
  reason: "ambiguous" | "guideline" | "careless" | "subjective";
  words: string;
  adjudicator: string;
  at: string;
}

/** A decision about a disputed question. */
export interface DecisionBody {
  criterion: string;
  point: number;
  reason: "ambiguous" | "guideline" | "careless" | "subjective";
  words?: string;
}

/** The difference in agreement with people between two metrics, or two variants of one metric, times 100. */
export interface DifferenceRow {
  first: string;
  first_label: string;
  second: string;
  second_label: string;
  tau: "b" | "c";
  n: number;
  difference: number | null;
  ci_low: number | null;
  ci_high: number | null;
  p: number | null;
  p_holm: number | null;
  p_at_most: boolean;
  note: string;
}

/** A question on which raters disagree, with their answers. It contains no names of raters or metrics. */
export interface Dispute {
  item: number;
  score: number;
  criterion: string;
  place: number;
  image: number | null;
  caption: string;
  value: number | null;
  scale: [number, number];
  rationales: Array<Rationale>;
  points: Array<number>;
  notes: Array<string>;
  decision: Decision | null;
}

/** A study's disputed questions and sentences, with the study's criteria. Undecided disputes come first. */
export interface DisputesJson {
  criteria: Record<string, Criterion>;
  disputes: Array<Dispute>;
  sentences: Array<SentenceDispute>;
}

/** The distribution of one score, or of the human judgements, rescaled to [0, 1]. */
export interface Distribution {
  label: string;
  n: number;
  mean: number;
  sd: number | null;
  lowest: number;
  quarter: number;
  median: number;
  three_quarters: number;
  highest: number;
}

/** A study to make, and its first state and settings. */
export interface Draft {
  name: string;
  dataset: string;
  form?: string;
  form_text?: string | null;
  metrics?: Array<string>;
  size?: number | null;
  strata?: "score" | "human" | "none" | "disagreement";
  criteria?: Array<string>;
  consent?: string | null;
  ready_check?: boolean;
  seed?: number | null;
  raters_per_item?: number | null;
  veil?: boolean | null;
  overlay?: boolean | null;
  uniform?: boolean;
  language?: string;
  state?: "draft" | "running";
  items_per_rater?: number | null;
  terms?: TermsTextInput;
  gold_every?: number | null;
}

/** A region that a user has drawn on their own picture. */
export interface DrawnRegion {
  label: string;
  outline: Array<[number, number]>;
}

/** A region with its outline. */
export interface DrawnRegionJson {
  label: string | null;
  is_full: boolean;
  support: number;
  phrase: number | null;
  mentioned: boolean;
  reason: string;
  area: number;
  path: string;
}

/** How a rater returns to the platform at the end: a completion code or an address. */
export interface End {
  code: string;
  address: string;
}

/** How a participant returns to the recruitment platform when their part in the study ends. */
export interface EndBody {
  code?: string;
  address?: string;
}

/** How the rater returns to the recruitment platform. */
export interface EndJson {
  panel: string;
  code: string;
  address: string;
}

/** The data with which a person enters as a rater. */
export interface Enter {
  code: string;
  return_key?: string | null;
}

/** A study's consent text, and the questions before and after its items, one question per line. */
export interface EntryBody {
  stamp: string;
  consent: string;
  before: string;
  after: string;
}

/** A study's consent text and questions before and after the items, and how many participants came or left. */
export interface EntryJson {
  stamp: string;
  consent: string;
  before: string;
  after: string;
  came: number;
  screened_out: number;
  returned: number;
}

/** A consent text and questions before and after the items, as the server stores them. One line is one question. */
export interface EntryTextsJson {
  stamp: string;
  consent: string;
  before: string;
  after: string;
}

/** The database's epoch, a random text that changes when an older database may have been restored. */
export interface EpochJson {
  epoch: string;
}

/** A rater to erase. The user must type the rater's code again. */
export interface Erased {
  code: string;
  typed: string;
  keep_ratings: boolean;
}

/** A score that could not be computed. */
export interface ErrorJson {
  metric: string;
  signature: string;
  error: Problem;
  links: null;
  usage: Usage | null;
  seconds: Record<string, number>;
}

/** Where the errors of one metric's explanations are, and where the regions are that raters could choose. */
export interface ErrorMap {
  metric: string;
  n: number;
  cells: Array<Array<number>>;
  regions: Array<Array<number>>;
}

/** A sample with its score, its human judgement and the difference between them (the error). */
export interface ErrorRow {
  id: number;
  key: string;
  image: string | null;
  caption: string;
  human: number;
  value: number;
  error: number;
}

/** The size of a score's errors on one scale. */
export interface ErrorSize {
  label: string;
  scale: string;
  n: number;
  mean_error: number | null;
  mean_absolute_error: number;
  mean_absolute_error_low: number | null;
  mean_absolute_error_high: number | null;
}

/** One coefficient of agreement. */
export interface EvidenceAgreement {
  name: string;
  value: number | null;
  ci_low: number | null;
  ci_high: number | null;
  chance: number | null;
  n: number;
  of: string;
  note: string;
}

/** All results of raters' judgements of sentences. */
export interface EvidenceResults {
  judgements: number;
  raters: number;
  left_out: number;
  shares: Table_EvidenceShare_;
  agreement: Table_EvidenceAgreement_;
  rater_table: Table_SentenceRater_;
  places: Table_MarkedPlace_;
  errors: Table_RatingErrorRow_;
  hints: Table_HintChange_;
  beside_ratings: Table_RatingErrorRow_;
  absences: Table_AbsenceRow_;
  maps: Array<ErrorMap>;
}

/** A share of the judgements of one metric's explanations. None: undefined, because there are too few judgements. */
export interface EvidenceShare {
  metric: string;
  by: string;
  group: string;
  n: number;
  count: number;
  share: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** The worked example of a form, in words. */
export interface ExampleJson {
  picture: string;
  captions: Array<string>;
  values: Array<string>;
  explanations: Array<string>;
  answers: Array<ExampleLine>;
}

/** One answer of the worked example, as raters see it. */
export interface ExampleLine {
  asked: string;
  panel: number;
  point: number | null;
  meaning: string;
  verdict: "right" | "wrong" | "unclear" | "beside" | null;
  why: string;
}

/** A rater to exclude from results. */
export interface Excluded {
  code: string;
  reason: string;
}

/** The forecast of a study's end. */
export interface ExpectedEnd {
  at: string | null;
  an_hour: number | null;
  words: string;
}

/** One line of the methods table. */
export interface Fact {
  fact: string;
  value: string;
}

/** How often and by how much one metric's scores fall after one kind of edit. */
export interface FallRow {
  metric: string;
  kind: string;
  n: number;
  unscored: number;
  fell: number | null;
  same: number | null;
  rose: number | null;
  before: number | null;
  fall: number | null;
  fall_low: number | null;
  fall_high: number | null;
  note: string;
  error: string;
}

/** The feedback on the answers to a practice item. */
export interface FeedbackJson {
  given: Record<string, Array<number>>;
  right: Record<string, [number, number]>;
  words: string;
  passed: boolean;
}

/** The error codes, captioners and slices (saved filters) by which a data set's list can be filtered. */
export interface Filters {
  codes: Array<string>;
  systems: Array<string>;
  slices: Array<string>;
}

/** A measure of a rater that is beyond its threshold. */
export interface Flag {
  measure: string;
  value: number;
  threshold: number;
  words: string;
}

/** A rater with a quality flag, whose ratings still count in results. */
export interface FlaggedJson {
  code: string;
  flags: Array<Flag>;
}

/** One line of the participant flow (how many participants reached each stage). */
export interface FlowStep {
  step: string;
  participants: number;
  why: string;
}

/** A folder on the server in which an import may search for pictures. */
export interface FolderJson {
  id: number;
  name: string;
}

/** Raters, hours and cost of a planned study. */
export interface Forecast {
  item_ratings: number;
  raters: number;
  starting: number;
  each: Workload;
  minutes: number;
  announced: number;
  hours: number;
  pay_each: number | null;
  pay: number | null;
  fee: number | null;
  cost: number | null;
}

/** A form (file with questions) that a study can use. */
export interface FormJson {
  key: string;
  title: string;
  source: string;
  layout: "single" | "side_by_side";
  rates: "explanation" | "caption";
  compares: boolean;
  evidence: boolean;
  veil: boolean;
  regions: boolean;
  check: number;
  example: boolean;
  practice_until_right: boolean;
  consent: string;
  has_consent: boolean;
  ready_check: Array<string>;
  criteria: Array<Criterion>;
}

/** The text of a user's own form. A form is a file with a study's questions. */
export interface FormText {
  text: string;
  name?: string;
}

/** A format that can be imported. */
export interface FormatJson {
  name: string;
  summary: string;
  suffixes: Array<string>;
  takes_metric: boolean;
  takes_layout: boolean;
  takes_system: boolean;
}

/** A page of search results. */
export interface FoundSamples {
  total: number;
  page_size: number;
  page: number;
  before: number | null;
  after: number | null;
  samples: Array<SampleJson>;
}

/** A rater's current answer to one question, or about one sentence. */
export interface GivenAnswer {
  panel: number;
  criterion: string;
  point: number | null;
  sentence: number | null;
  verdict: "right" | "wrong" | "unclear" | "beside" | null;
}

/** The probable meaning of a table's columns. */
export interface GuessJson {
  columns: Record<string, string>;
  human_scale: [number, number] | null;
  score_scale: [number, number] | null;
}

/** One possible answer to a question, with the text that says when to choose it. */
export interface Guideline {
  point: number;
  text: string;
  short: string;
}

/** A column: its head and its kind of content. */
export interface Head {
  head: string;
  kind: "text" | "count" | "number" | "share" | "interval" | "difference" | "both" | "published" | "p" | "ranked";
}

/** A thing that a sentence names, and whether it is in the picture or in the caption. */
export interface Hint {
  start: number;
  end: number;
  stance: "said" | "denied" | "lacking" | "reported";
  where: "picture" | "caption" | "nowhere" | "unknown";
  regions: Array<number>;
}

/** The share of judgements that raters changed in one way after a hint, for one metric. */
export interface HintChange {
  metric: string;
  what: string;
  n: number;
  count: number;
  share: number;
  ci_low: number | null;
  ci_high: number | null;
}

/** How many captions have a precision or recall in each bin. */
export interface Histogram {
  name: string;
  edges: Array<number>;
  counts: Array<number>;
}

/** The progress of a long task. */
export interface HowFar {
  what: string;
  done: number;
  total: number;
  seconds: number;
}

/** The files of an import, and its options. */
export interface ImportBody {
  files: Array<string>;
  format?: string;
  dataset?: string;
  columns?: Record<string, string>;
  human_scale?: Array<number> | null;
  score_scale?: Array<number> | null;
  metric?: string | null;
  system?: string | null;
  keep?: Array<string>;
  zips?: Array<string>;
  folders?: Array<number>;
  skip_bad?: boolean;
}

/** The progress of an import. */
export interface ImportJson {
  state: "receiving" | "waiting" | "running" | "done" | "failed" | "cancelled";
  what: string;
  done: number;
  total: number;
  problem: string;
  kind: string;
  refused: number;
  first_refused: Array<Array<string>>;
  result: ImportResult | null;
}

/** The id of an import that can receive files. */
export interface ImportKey {
  id: string;
}

/** Options for an import. */
export interface ImportOptions {
  formats: Array<FormatJson>;
  folders: Array<FolderJson>;
  part: number;
  most_bytes: number;
  most_files: number;
}

/** The result of an import. */
export interface ImportResult {
  dataset: string;
  samples: number;
  samples_added: number;
  scores: number;
  scores_added: number;
  images_found: number;
  images_missing: number;
  skipped: number;
  notes: Array<string>;
}

/** The code of a rater to include again, or to look up. */
export interface Included {
  code: string;
}

/** An item of the rater. */
export interface ItemJson {
  id: string;
  place: number;
  caption: string;
  image: string | null;
  image_size: [number, number] | null;
  panels: Array<PanelJson>;
  open: boolean;
  revealed: boolean;
  finished: boolean;
  practice: boolean;
  note: string;
  report: ItemReport | null;
  regions: LinksJson | null;
  references: Array<string>;
  places: Array<PlaceJson>;
  hints: boolean;
  seal: string;
}

/** A rater's report that something is wrong with an item. Raises InvalidRating. */
export interface ItemReport {
  reason: "broken_picture" | "offensive" | "cannot_judge" | "other";
  words: string;
  skip: boolean;
}

/** The sample and the metric with which to score it. caption: a caption that replaces the sample's. */
export interface JudgeBody {
  sample: number;
  metric: string;
  caption?: string | null;
  keep?: boolean;
}

/** The last event of a response: the metric's score or error. */
export interface JudgedOutcome {
  outcome: ScoreJson | ErrorJson;
}

/** A sentence as displayed to a rater, with the rater's judgement. */
export interface JudgedSentence {
  number: number;
  aspect: string;
  text: string;
  judgement: Judgement | null;
}

/** A rater's judgement of one sentence. */
export interface Judgement {
  verdict: "right" | "wrong" | "unclear" | "beside";
  start: number | null;
  end: number | null;
  kind: "object" | "attribute" | "number" | "spatial_relation" | "text" | "named_entity" | null;
  severity: "minor" | "major" | null;
  place: Place | null;
  hint_shown: boolean;
}

/** The keys of answers in a browser that the server has acknowledged. */
export interface Kept {
  keys: Array<string>;
}

/** The keys of answers in a browser, and the code of the rater who gave them. The rater is not signed in. */
export interface KeptOf {
  keys: Array<string>;
  code: string;
}

/** A metric that has scored samples of a data set. */
export interface KnownMetric {
  name: string;
  label: string;
  scale: [number, number];
  has_raw: boolean;
  scored: number;
  by_people: boolean;
  own: string;
  part: string;
  beside_people: Array<string>;
}

/** A component of a metric's scores, such as recall. */
export interface KnownPart {
  name: string;
  part: string;
  meaning: string;
  scored: number;
}

/** A saved slice (filter of samples). */
export interface KnownSlice {
  slice: Slice;
  samples: number;
  rated: boolean;
}

/** How often captions omit the objects of one label. */
export interface LabelRow {
  label: string;
  captions: number;
  left_out: number;
  share: number;
  regions: number;
  regions_left_out: number;
}

/** A language of raters' pages. */
export interface LanguageJson {
  code: string;
  name: string;
  review: string;
  consent: string;
}

/** Condition: the sample lies inside a closed line that a user drew in a plot. */
export interface Lasso {
  x: string | null;
  y: string | null;
  corners: Array<[number, number]>;
}

/** A lasso line that a user drew in a plot of a data set or slice (saved filter). */
export interface LassoBody {
  dataset: string;
  lasso: Record<string, any>;
  slice?: string | null;
}

/** How many ratings and judgements of sentences by one rater are excluded. */
export interface LeftOutRow {
  rater: string;
  why: string;
  ratings: number | null;
  sentences: number | null;
}

/** How often a metric prefers the caption that people prefer, in percent. */
export interface LevelRow {
  label: string;
  level: string;
  n: number;
  accuracy: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** Questions to parse while they are typed, one per line. */
export interface LinesBody {
  lines: string;
}

/** A study link as researchers see it. */
export interface LinkJson {
  id: number;
  rater: string | null;
  panel: string | null;
  ends: Record<string, End> | null;
  state: "open" | "used_up" | "expired" | "closed";
  uses_allowed: number | null;
  used: number;
  made_at: string;
  expires_at: string | null;
}

/** The links between phrases and regions. */
export interface LinksJson {
  cut: number;
  size: [number, number];
  phrases: Array<PhraseJson>;
  regions: Array<DrawnRegionJson>;
  notice: string;
}

/** Filters and order of a list of samples. If a field is missing, it excludes no sample. */
export interface ListBody {
  dataset?: string | null;
  text?: string;
  metric?: string | null;
  lowest?: number | null;
  highest?: number | null;
  picture?: boolean | null;
  regions?: boolean | null;
  explained?: boolean | null;
  code?: string | null;
  system?: string | null;
  slice?: string | null;
  sort?: "imported" | "score" | "error" | "disagreement";
  falling?: boolean;
  other?: string | null;
}

/** A page of the samples with the largest errors of scores. */
export interface ListedErrors {
  total: number;
  first: number;
  rows: Array<ErrorRow>;
  page_size: number;
}

/** A page of captions that omit something in the picture. */
export interface ListedOmissions {
  total: number;
  first: number;
  rows: Array<OmissionRow>;
  page_size: number;
}

/** A page of samples on which two scores disagree. */
export interface ListedPartings {
  total: number;
  first: number;
  first_label: string;
  second_label: string;
  rows: Array<PartedRow>;
  page_size: number;
}

/** The preview of a file. */
export interface LookJson {
  format: string;
  command: string;
  head: TableHeadJson | null;
  guess: GuessJson | null;
  notes: Array<string>;
  records: Array<RecordRead>;
  problems: Array<string>;
}

/** A new data set. */
export interface MadeDataset {
  name: string;
  samples: number;
}

/** A proposed control item (gold or practice) with the correct answers. */
export interface MadeItemJson {
  making: "swapped" | "turned";
  sample: number;
  scores: Array<number>;
  caption: string;
  image: string | null;
  panels: Array<ShownScore>;
  criterion: string;
  highest: number;
  words: string;
}

/** How often raters chose one kind of position for the errors of one metric. */
export interface MarkedPlace {
  metric: string;
  place: string;
  n: number;
  count: number;
  share: number;
}

/** Words that a metric looks for in the candidate and in the references, with all their positions. */
export interface Match {
  text: string;
  kind: "words" | "sequence" | "fact";
  size: number;
  places: Array<[number, number]>;
  references: Array<[number, number, number]>;
  counted: number | null;
  idf: number | null;
  weight: number | null;
}

/** A manager's message as the rater who gets it sees it. */
export interface Message {
  id: number;
  text: string;
  at: string;
  place: number | null;
  is_read: boolean;
}

/** A paired test between two metrics on one criterion. */
export interface MetricComparison {
  criterion: string;
  metric_a: string;
  metric_b: string;
  n_items: number;
  mean_difference: number | null;
  statistic: number | null;
  p: number | null;
  p_holm: number | null;
  note: string;
}

/** One metric's agreement with people on several data sets. */
export interface MetricRow {
  label: string;
  values: Record<string, number | null>;
}

/** The quality of the work of a study's raters, and the thresholds for it. */
export interface MonitorJson {
  thresholds: Thresholds;
  gold_every: number | null;
  repeat_every: number | null;
  stop_after_gold: number | null;
  table: Table_RaterQualityRow_;
  flagged: Array<FlaggedJson>;
  stamp: string;
}

/** A study's name: the name of a copy, or the name typed again before a deletion. */
export interface Name {
  name: string;
}

/** How often one score is close to people's judgements, and how large its errors are. */
export interface NearRow {
  score: string;
  n: number;
  right: number;
  right_low: number | null;
  right_high: number | null;
  alone: number | null;
  mean_absolute_error: number;
  mean_absolute_error_low: number | null;
  mean_absolute_error_high: number | null;
}

/** A data set to make from the listed samples. */
export interface NewDataset {
  name: string;
  samples: ListBody;
}

/** A new study link. The server shows its address only now. */
export interface NewLinkJson {
  link: LinkJson;
  address: string;
}

/** Study links to make for raters. */
export interface NewLinks {
  codes?: Array<string>;
  uses?: number | null;
  days?: number | null;
  same_people?: boolean;
}

/** A message to one rater or to all raters of a study. */
export interface NewMessage {
  text: string;
  to?: string | null;
  item?: number | null;
}

/** A right to a study that an account is to get. */
export interface NewShare {
  account: string | null;
  right: "see" | "run" | "own" | null;
}

/** The new state of a study. */
export interface NewState {
  stamp: string;
  state: "draft" | "pilot" | "running" | "paused" | "closed" | "archived";
  pilot_items?: number | null;
}

/** The last event of a response if nothing could be scored. */
export interface NotJudged {
  problem: Refusal;
}

/** The result of an action as one number. */
export interface NumberJson {
  number: number;
}

/** A caption that does not mention some objects in its picture. */
export interface OmissionRow {
  id: number;
  key: string;
  image: string | null;
  caption: string;
  labels: Array<string>;
  regions: number;
  regions_left_out: number;
  precision: number | null;
  recall: number | null;
}

/** What captions omit, according to one metric. */
export interface Omissions {
  metric: string;
  captions: number;
  shares: Table_ShareRow_;
  histograms: Array<Histogram>;
  labels: Table_LabelRow_;
}

/** An error code that a coder assigns to a metric's error on a sample. */
export interface OneCode {
  sample: number;
  metric: string;
  codebook: string;
  coder: string;
  code: string | null;
}

/** An annotated region that is shown before a metric has scored the sample. */
export interface OutlineJson {
  label: string | null;
  is_full: boolean;
  area: number;
  path: string;
}

/** The user's picture and caption as a sample. */
export interface OwnSample {
  id: number;
  regions: number;
}

/** Condition: a column of the researcher's own table has a certain value for the sample. */
export interface OwnValue {
  column: string;
  value: string;
}

/** The number of samples per cell in the visible part of a plot. */
export interface PackedDensity {
  samples: number;
  shown: number;
  across: Array<number>;
  up: Array<number>;
  counts: string;
  points: PackedPlaces | null;
}

/** Samples grouped by human judgement (see core.analysis.score_table.human_groups). */
export interface PackedGroups {
  title: string;
  names: Array<string>;
  of: string;
}

/** All samples inside a lasso. */
export interface PackedLassoed {
  samples: number;
  ids: string;
}

/** The samples of a data set that belong to a slice (saved filter). */
export interface PackedMembers {
  stamp: string;
  samples: number;
  mask: string;
}

/** One metric's scores for all samples, in base64. */
export interface PackedMetric {
  name: string;
  label: string;
  scale: [number, number];
  has_raw: boolean;
  value: string;
  raw: string | null;
}

/** Individual samples of a plot: their ids and coordinates, in base64. */
export interface PackedPlaces {
  ids: string;
  x: string;
  y: string;
}

/** The columns for plots of some metrics, with one entry for each sample, in base64. */
export interface PackedPoints {
  stamp: string;
  samples: number;
  ids: string;
  human: string;
  groups: PackedGroups;
  metrics: Array<PackedMetric>;
}

/** A recruitment platform for which a link is to be made. */
export interface PanelBody {
  name: string;
  person: string;
  study?: string;
  session?: string;
  done?: EndBody;
  screened_out?: EndBody;
  full?: EndBody;
  failed_check?: EndBody;
  failed_gold?: EndBody;
  uses?: number | null;
  days?: number | null;
}

/** New completion codes and return addresses of a recruitment platform's link. */
export interface PanelEnds {
  done: EndBody;
  screened_out: EndBody;
  full: EndBody;
  failed_check: EndBody;
  failed_gold: EndBody;
}

/** An explanation or a caption to rate, with the rater's answers so far. */
export interface PanelJson {
  value: number | null;
  scale: [number, number];
  rationales: Array<Rationale>;
  answers: Record<string, number>;
  caption: string | null;
  sentences: Array<JudgedSentence>;
  remark: Remark | null;
}

/** A sample on which two scores disagree. Scores are rescaled to [0, 1]. */
export interface PartedRow {
  id: number;
  key: string;
  image: string | null;
  caption: string;
  human: number | null;
  first: number;
  second: number;
  first_error: number | null;
  second_error: number | null;
  gap: number;
}

/** A table row about one participant in the study monitor. */
export interface ParticipantRow {
  code: string;
  state: "arrived" | "screened_out" | "practising" | "rating" | "finished" | "returned" | "excluded";
  why: string;
  pilot: boolean;
  joined: boolean;
  done: number;
  open: number;
  arrived_at: string;
  last_at: string | null;
}

/** Condition on two scores of a sample. */
export interface Parting {
  first: string;
  second: string;
  by: "scores" | "ranks" | "first right" | "second right";
  gap: Range;
  errors: "plain" | "rank" | "calibrated";
  tolerance: number;
}

/** The pay that a study's raters are owed. */
export interface PayJson {
  hourly_rate: string;
  rewards: string;
  bonuses: string;
  below_rate: number;
  rule: string;
  raters: Array<PayRow>;
}

/** One row of the printed table of pay. */
export interface PayRow {
  code: string;
  state: string;
  minutes: string;
  decision: string;
  why: string;
  reward: string;
  bonus: string;
  hourly: string;
  below: string;
}

/** Two tables on people's agreement with one another. Both are empty if no caption has two judgements. */
export interface PeopleAgreement {
  coefficients: Table_PeopleCoefficient_;
  taus: Table_PeopleTau_;
  remarks: Array<string>;
}

/** One coefficient of agreement among people. None: undefined; `note` says why. */
export interface PeopleCoefficient {
  name: string;
  value: number | null;
  ci_low: number | null;
  ci_high: number | null;
  chance: number | null;
  captions: number;
  judgements: number;
  note: string;
}

/** How well individual judgements agree with the mean of the other judgements of the same captions. */
export interface PeopleTau {
  score: "mean of the other judgements";
  n: number;
  tau_b: number | null;
  tau_b_low: number | null;
  tau_b_high: number | null;
  tau_c: number | null;
  tau_c_low: number | null;
  tau_c_high: number | null;
  note: string;
}

/** The recruitment platform's id of a rater. */
export interface PersonJson {
  person: string;
}

/** A phrase of the caption. */
export interface PhraseJson {
  text: string;
  start: number;
  end: number;
  support: number;
  region: number | null;
  mark: "correct" | "incorrect" | "not judged";
  things: Array<ThingJson>;
  kind: "stated" | "denied";
  shown: string;
  reason: string;
  regions: Array<number>;
  denied: [number, number] | null;
}

/** A position in the picture: one of its regions, a box that the rater drew, or nowhere. */
export interface Place {
  region: number | null;
  label: string | null;
  area: number | null;
  box: [number, number, number, number] | null;
  nowhere: boolean;
}

/** A region of the picture. */
export interface PlaceJson {
  label: string | null;
  area: number;
  path: string;
}

/** A researcher's question about a planned study. */
export interface PlanQuestion {
  items: number;
  ratings_per_item: number;
  items_per_rater?: number | null;
  practice?: number;
  gold_every?: number | null;
  repeat_every?: number | null;
  item_seconds?: number;
  opening_seconds?: number;
  drop_out?: number;
  hourly_rate?: number | null;
  fee?: number;
  reward?: number | null;
  like?: string;
  difference?: number | null;
  metrics?: number;
  criteria?: number;
  raters?: number | null;
  samples?: number | null;
}

/** A recruitment platform that sends participants to a study's link. */
export interface Platform {
  name: string;
  person: string;
  study: string;
  session: string;
  done: End;
  screened_out: End;
  full: End;
  failed_check: End;
  failed_gold: End;
}

/** The data that the form for a recruitment platform's link needs. */
export interface PlatformsJson {
  presets: Array<Platform>;
  possible: Array<"done" | "screened_out" | "full" | "failed_check" | "failed_gold">;
}

/** Share of one point among the ratings of one metric on one criterion. */
export interface PointShare {
  metric: string;
  criterion: string;
  point: number;
  count: number;
  share: number;
}

/** How much answers at one position on the page differ from the mean answer on the same page. */
export interface PositionEffect {
  criterion: string;
  position: number;
  n: number;
  difference: number | null;
  ci_low: number | null;
  ci_high: number | null;
}

/** The statistical power on one criterion: the probability of detecting the difference between metrics. */
export interface PowerRow {
  criterion: string;
  mean: number;
  highest: number;
  agreement: number;
  power: number | null;
  needed: Array<[number, number | null]>;
  note: string;
}

/** The preview of a study. */
export interface PreviewJson {
  seed: number;
  items: number;
  without_picture: number;
  with_regions: number;
  strata: Record<string, number>;
  compared: number;
  first: SampleJson | null;
  workload: RaterWorkload;
  opening_seconds: number;
}

/** A value that papers print for another metric on the same benchmark, by the same coefficient. */
export interface PrintedRow {
  metric: string;
  variant: string;
  category: string;
  quantity: "tau_b" | "tau_c" | "accuracy";
  value: number;
  source: string;
}

/** An edit that a metric hardly noticed: the metric's score fell least or rose most after it. */
export interface ProbeExample {
  metric: string;
  kind: string;
  id: number;
  key: string;
  image: string | null;
  caption: string;
  edited: string;
  before_spans: Array<[number, number]>;
  after_spans: Array<[number, number]>;
  score: number;
  edited_score: number;
}

/** The results of a probe. */
export interface ProbeReport {
  dataset: string;
  captions: number;
  seed: number;
  signatures: Record<string, string>;
  falls: Table_FallRow_;
  examples: Table_ProbeExample_;
}

/** The reason why there is no score. */
export interface Problem {
  kind: "missing_image" | "bad_image" | "missing_references" | "missing_dataset" | "missing_text" | "missing_regions" | "bad_regions" | "control_text" | "not_english" | "no_score" | "out_of_range" | "merged_digits" | "refused" | "other";
  message: string;
}

/** A value that a paper prints for the quantity that a row of the table computes. */
export interface PublishedFigure {
  name: string;
  value: number;
  paper: string;
  table: string;
}

/** Published data that can be fetched. */
export interface PublishedJson {
  name: string;
  summary: string;
  bytes: number | null;
  licence: string;
  citation: string;
  repository: string;
  state: "imported" | "fetched" | "absent";
}

/** A question before or after the items. The server does not send which answers exclude a person from the study. */
export interface QuestionJson {
  text: string;
  kind: "text" | "choice" | "number";
  choices: Array<string>;
  lowest: number | null;
  highest: number | null;
  required: boolean;
  whole: boolean;
}

/** A rater's position in a study, and the items that the browser requested. */
export interface QueueJson {
  total: number;
  free: number;
  ahead: number;
  done: number;
  skipped: number;
  resume: number;
  items: Array<ItemJson>;
  stopped: "not_started" | "paused" | "closed" | "pilot_over" | "excluded" | "failed_gold" | "full" | null;
  practice: Array<number>;
  held_at: number | null;
  epoch: string;
}

/** Range from `low` (included) to `high` (excluded). None means that the range has no limit on that side. */
export interface Range {
  low: number | null;
  high: number | null;
}

/** How well a metric's ranking of captioners agrees with people's, times 100. None: undefined; `note` says why. */
export interface RankAgreementRow {
  label: string;
  captioners: number;
  images: number;
  pearson: number | null;
  pearson_low: number | null;
  pearson_high: number | null;
  spearman: number | null;
  spearman_low: number | null;
  spearman_high: number | null;
  kendall: number | null;
  kendall_low: number | null;
  kendall_high: number | null;
  note: string;
}

/** Ratings of one metric on one criterion, with the value that a paper published. */
export interface RatedMetric {
  metric: string;
  criterion: string;
  n: number;
  mean: number | null;
  sd: number | null;
  ci_low: number | null;
  ci_high: number | null;
  abstain_rate: number;
  no_picture_rate: number;
  scale: string;
  remark: string;
  published: string;
}

/** A study of a data set, with the criteria on which its raters judge explanations. */
export interface RatedStudy {
  id: number;
  name: string;
  criteria: Array<string>;
}

/** A study as raters see it. */
export interface RatedStudyJson {
  id: number;
  title: string;
  notice: string;
  form: "single" | "side_by_side";
  items: number;
  practice: number;
  done: number;
  is_most: boolean;
  minutes: number;
  hourly_pay: string | null;
  reward: string | null;
  gates: Array<"check" | "gold">;
  contact: string;
  without_picture: number;
  of_items: number;
  missing: string;
  evaluator: string;
  veil: boolean;
  overlay: boolean;
  criteria: Array<Criterion>;
  instructions: Array<string>;
  rates: "explanation" | "caption";
  shows_score: boolean;
  evidence: boolean;
  stopped: "not_started" | "paused" | "closed" | "pilot_over" | "excluded" | "failed_gold" | "full" | null;
  asks_first: boolean;
  practice_until_right: boolean;
  example: ExampleJson | null;
  language: string;
}

/** A rater. */
export interface RaterJson {
  code: string;
  return_key: string;
}

/** A rater's progress in a study. */
export interface RaterProgress {
  id: number;
  code: string;
  done: number;
  counted: number;
  total: number;
  minutes: number;
  last_seen: string | null;
  pilot: boolean;
  excluded: string | null;
  given_back: number;
  open: number;
  returned: boolean;
}

/** A rater's measurements as text. None: there are no data from which to compute the value. */
export interface RaterQualityRow {
  rater: string;
  excluded: string;
  flags: string;
  items: number;
  minutes: number;
  item_seconds: number | null;
  word_seconds: number | null;
  longest_run: number;
  entropy: number | null;
  abstained: number | null;
  gold: string;
  repeats_equal: string;
  repeats_within_one: string;
  correlation: number | null;
  alpha_without: number | null;
  sentences: number | null;
  wrong: number | null;
  agreed: number | null;
  verdict_alpha_without: number | null;
}

/** One rater's report on an item. */
export interface RaterReport {
  code: string;
  reason: "broken_picture" | "offensive" | "cannot_judge" | "other";
  words: string;
  skipped: boolean;
  at: string;
}

/** Summary of one rater's ratings. */
export interface RaterSummary {
  rater: string;
  items: number;
  n: number;
  abstain_rate: number;
  seconds: number;
  mean: number | null;
  severity: number | null;
  compared: number;
  note: string;
}

/** The workload of one rater, and the number of raters that a study needs. */
export interface RaterWorkload {
  items: number;
  practice: number;
  gold: number;
  repeats: number;
  minutes: number;
  is_most: boolean;
  raters: number | null;
  item_seconds: number;
  words: string;
  warnings: Array<string>;
}

/** How ratings and score errors relate, for one metric and criterion. */
export interface RatingErrorRow {
  metric: string;
  criterion: string;
  n: number;
  n_low: number;
  error_low: number | null;
  error_other: number | null;
  tau_b: number | null;
  p: number | null;
  p_holm: number | null;
  note: string;
}

/** A text that explains a score: for one aspect of the caption, or for the whole caption. */
export interface Rationale {
  aspect: string;
  text: string;
}

/** How one line of the questionnaire was understood. */
export interface ReadLine {
  number: number;
  question: string | null;
  words: string;
}

/** Messages that a rater has read. */
export interface ReadMessages {
  ids: Array<number>;
}

/** Whether a metric can score a sample on this installation. */
export interface Readiness {
  metric: string;
  ready: boolean;
  needs: Array<string>;
  shows_regions: boolean;
  requires_references: boolean;
  shows_matches: boolean;
}

/** The response to an upload of a part of a file, or to a file's removal. */
export interface ReceivedFile {
  name: string;
}

/** A row in the preview of a file to import. */
export interface RecordRead {
  image: string;
  caption: string;
  system: string | null;
  references: number;
  human: number | null;
  scores: Array<ScoreRead>;
}

/** The reason for a refused request. */
export interface Refusal {
  kind: "not_found" | "not_yours" | "changed_meanwhile" | "went_back" | "veiled" | "signed_out" | "sign_in" | "not_allowed" | "link_over" | "too_many_attempts" | "busy" | "taken" | "bad_rating" | "bad_request" | "malformed" | "too_large" | "foreign" | "model_unavailable" | "cancelled" | "queue_full" | "disk_full" | "no_storage" | "failed";
  detail: string;
}

/** The number of regions of a picture. */
export interface RegionCount {
  regions: number;
}

/** The correlations between two metrics' scores, times 100. */
export interface Related {
  first: string;
  second: string;
  n: number;
  pearson: number | null;
  spearman: number | null;
}

/** Distributions and correlations of the scores of some metrics. */
export interface Relations {
  distributions: Table_Distribution_;
  bars: Array<Bars>;
  related: Table_Related_;
}

/** A rater's remark on a whole explanation. */
export interface Remark {
  overlooked: Array<Place>;
  no_fault: boolean;
}

/** The name of the slice (saved filter) that was removed. */
export interface Removed {
  removed: string;
}

/** An item with its reports. */
export interface ReportedItem {
  item: number;
  number: number | null;
  role: string;
  key: string;
  sample: number;
  caption: string;
  withdrawn_at: string | null;
  reasons: Record<string, number>;
  skips: number;
  reports: Array<RaterReport>;
}

/** A rater's return key, with which the rater can continue in another browser. */
export interface ReturnKeyJson {
  code: string;
  return_key: string;
}

/** A phrase of a caption, not yet compared with a picture. */
export interface SaidPhrase {
  text: string;
  start: number;
  end: number;
  kind: "stated" | "denied";
  shown: string;
  things: Array<string>;
}

/** A sentence of a text, with hints on where the objects are that the sentence names. */
export interface SaidSentence {
  start: number;
  end: number;
  hints: Array<Hint>;
}

/** A text of an explanation that is to be split into sentences. */
export interface SaidText {
  text: string;
}

/** A sample as the pages show it. */
export interface SampleJson {
  id: number;
  dataset: string;
  key: string;
  image: string | null;
  thumbnail: string | null;
  screen: string | null;
  image_name: string;
  licence: string | null;
  image_size: [number, number] | null;
  caption: string;
  system: string | null;
  regions: number;
  outlines: Array<OutlineJson>;
  trials: Array<Trial>;
  may_draw: boolean;
  references: Array<string>;
  human: number | null;
  judgements: Array<number>;
  scores: Array<ScoreJson | ErrorJson>;
  older: Array<string>;
}

/** A rater's answer about one explanation of a sample. */
export interface SampleRating {
  study_id: number;
  study: string;
  metric: string;
  rater: string;
  criterion: string;
  point: number;
}

/** The result of one action of the rater. */
export interface SaveJson {
  key: string | null;
  saved: boolean;
  refusal: Refusal | null;
}

/** A rater's actions, oldest first. Each one is checked separately, so an invalid one does not stop the others. */
export interface Saves {
  saves: Array<Record<string, any>>;
  epoch?: string | null;
}

/** The results of all actions that were sent, in their order. */
export interface SavesJson {
  results: Array<SaveJson>;
  epoch: string;
}

/** A study's state and settings, and the states to which it can change. */
export interface ScheduleJson {
  state: "draft" | "pilot" | "running" | "paused" | "closed" | "archived";
  deadline: string | null;
  pilot_items: number | null;
  items_per_rater: number | null;
  hold_hours: number;
  controls_included: boolean;
  terms: Terms;
  new_raters: boolean;
  stamp: string;
  next: Array<"draft" | "pilot" | "running" | "paused" | "closed" | "archived">;
  over: boolean;
  typed: TermsTextOutput;
}

/** The data for the plots of one score. All values are in [0, 1]. */
export interface ScoreCurve {
  label: string;
  fit: Array<[number, number]>;
  binned_error: number;
  cuts: Array<number>;
  accuracy: Array<number>;
  balanced: Array<number | null>;
}

/** A score on the pages. */
export interface ScoreJson {
  metric: string;
  signature: string;
  value: number;
  scale: [number, number];
  components: Record<string, number | Array<number>>;
  meanings: Record<string, string>;
  rationales: Array<Rationale>;
  links: LinksJson | null;
  encoder: string | null;
  by_labels: boolean;
  usage: Usage | null;
  seconds: Record<string, number>;
  matches: Array<Match>;
  unlisted: number;
  error: null;
}

/** A score in the preview of a file to import. */
export interface ScoreRead {
  metric: string;
  value: number | null;
  explanation: string;
}

/** A data set with scores, which can be analysed. */
export interface ScoredDataset {
  name: string;
  samples: number;
  judged: boolean;
  rated: boolean;
  annotated: number;
  notice: string;
  captioners: boolean;
  benchmark: string | null;
}

/** A manager's message as managers see it. */
export interface SentMessage {
  id: number;
  to: string | null;
  item: number | null;
  text: string;
  author: string;
  at: string;
  readers: number;
  about: number | null;
}

/** A sentence of an item's explanation. */
export interface Sentence {
  panel: number;
  sentence: number;
}

/** A stored decision about a sentence. */
export interface SentenceDecision {
  verdict: "right" | "wrong" | "unclear" | "beside";
  kind: "object" | "attribute" | "number" | "spatial_relation" | "text" | "named_entity" | null;
  severity: "minor" | "major" | null;
  reason: "ambiguous" | "guideline" | "careless" | "subjective";
  words: string;
  adjudicator: string;
  at: string;
}

/** A decision about a disputed sentence. */
export interface SentenceDecisionBody {
  verdict: "right" | "wrong" | "unclear" | "beside";
  kind?: "object" | "attribute" | "number" | "spatial_relation" | "text" | "named_entity" | null;
  severity?: "minor" | "major" | null;
  reason: "ambiguous" | "guideline" | "careless" | "subjective";
  words?: string;
}

/** A sentence on which raters' verdicts differ, with their judgements. It contains no names of raters. */
export interface SentenceDispute {
  item: number;
  score: number;
  number: number;
  place: number;
  image: number | null;
  caption: string;
  value: number;
  scale: [number, number];
  rationales: Array<Rationale>;
  text: string;
  said: Array<Judgement>;
  notes: Array<string>;
  decision: SentenceDecision | null;
}

/** One rater's judgements of sentences. */
export interface SentenceRater {
  rater: string;
  items: number;
  sentences: number;
  wrong: number;
  seconds: number;
  sentence_seconds: number;
}

/** The rater of this browser. */
export interface SessionJson {
  rater: RaterJson | null;
  given: string | null;
  panel: string | null;
}

/** New settings of a study. */
export interface Settings {
  stamp: string;
  deadline: string | null;
  items_per_rater: number | null;
  hold_hours: number;
  new_raters?: boolean;
}

/** A table of how well metrics agree with people on several data sets. */
export interface SeveralJson {
  table: Table_MetricRow_;
  remarks: Array<string>;
}

/** A right of an account to a study. */
export interface Share {
  account: string | null;
  right: "see" | "run" | "own";
}

/** The distribution of precision or recall over captions. */
export interface ShareRow {
  name: string;
  n: number;
  mean: number;
  lowest_quarter: number;
  median: number;
  highest_quarter: number;
}

/** An item that needs more ratings. */
export interface ShortItem {
  item: number;
  key: string;
  finished: number;
  held: number;
  missing: number;
}

/** A score with its explanation as raters see it on an item. */
export interface ShownScore {
  value: number;
  scale: [number, number];
  rationales: Array<Rationale>;
}

/** A named filter. A sample must meet all of the filter's conditions that are not None. */
export interface Slice {
  name: string;
  metric: string | null;
  score: Range | null;
  error: Range | null;
  words: Range | null;
  human: Range | null;
  level: number | null;
  phrase: string | null;
  code: string | null;
  system: string | null;
  own: OwnValue | null;
  criterion: string | null;
  rating: Range | null;
  caption: string | null;
  explanation: string | null;
  truncated: string | null;
  parting: Parting | null;
  lasso: Lasso | null;
}

/** A slice (saved filter of samples) to store, and its data set. */
export interface SliceBody {
  dataset: string;
  slice: Record<string, any>;
}

/** A data set's slices (saved filters), and values for a new filter. */
export interface Slices {
  slices: Array<KnownSlice>;
  phrases: Array<string>;
  criteria: Array<string>;
  systems: Array<string>;
  own: Record<string, Array<string>>;
}

/** Reported items of a study, and messages to its raters. */
export interface SpokenJson {
  items: Array<ReportedItem>;
  messages: Array<SentMessage>;
}

/** Distributions of scores, with samples grouped by human judgement (core.analysis.score_table.human_groups). */
export interface Spread {
  title: string;
  names: Array<string>;
  samples: number;
  metrics: Array<SpreadMetric>;
}

/** The distribution of a metric's scores in each group of samples, as quantiles. */
export interface SpreadMetric {
  name: string;
  label: string;
  scale: [number, number];
  value: string;
  of: string;
}

/** The probability in percent that new images give the same ranking of captioners, for several numbers of images. */
export interface StabilityCurve {
  label: string;
  images: Array<number>;
  chances: Array<number>;
}

/** How stable a ranking of captioners is. */
export interface StabilityRow {
  label: string;
  images: number;
  half: number;
  needed: number | null;
}

/** Whether a rater can continue. */
export interface StandingJson {
  stopped: "not_started" | "paused" | "closed" | "pilot_over" | "excluded" | "failed_gold" | "full" | null;
}

/** The answer to a PlanQuestion. */
export interface StudyForecast {
  forecast: Forecast;
  coverage: Coverage | null;
  source: string;
  tests: number;
  rows: Array<PowerRow>;
}

/** A study as researchers see it. */
export interface StudyJson {
  id: number;
  name: string;
  dataset: string;
  notice: string;
  form: "single" | "side_by_side";
  version: number;
  strata: Record<string, number>;
  criteria: Array<string>;
  metrics: Array<string>;
  items: number;
  withdrawn: number;
  without_picture: number;
  panels: number;
  created_at: string;
  seed: number;
  raters_per_item: number | null;
  veil: boolean | null;
  overlay: boolean | null;
  uniform: boolean;
  language: string;
  asks: string;
  title: string;
  sha256: string;
  rates: "explanation" | "caption";
  evidence: boolean;
  check: boolean;
  course: ScheduleJson;
  finished: number;
  raters: Array<RaterProgress>;
  right: "see" | "run" | "own";
  everyone: "see" | "run" | "own" | null;
}

/** The progress of a study. */
export interface StudyMonitor {
  now: Record<string, number>;
  days: Array<DayCount>;
  flow: Array<FlowStep>;
  shares_items: boolean;
  short: Array<ShortItem>;
  missing: number;
  end: ExpectedEnd;
  rule: string;
  raters: Array<ParticipantRow>;
}

/** All results of a study. A value in a table is None if it is undefined. A note in its row states the reason. */
export interface StudyResults {
  study: string;
  dataset: string;
  notice: string;
  overlay: boolean;
  ratings: number;
  raters: number;
  scales: Array<UsedScale>;
  means: Table_RatedMetric_;
  tests: Table_MetricComparison_;
  distribution: Table_PointShare_;
  agreement: Table_AgreementRow_;
  rating_errors: Table_RatingErrorRow_;
  rating_errors_test: string;
  low: string;
  evidence: EvidenceResults | null;
  left_out: Table_LeftOutRow_;
  flow: Table_FlowStep_;
  methods: Table_Fact_;
  paragraph: string;
  rater_table: Table_RaterSummary_;
  positions: Table_PositionEffect_;
}

/** Means of every metric's ratings, tests between the metrics, and excluded ratings. */
export interface StudySummary {
  study: string;
  overlay: boolean;
  nothing: string;
  ratings: Table_RatedMetric_;
  tests: Table_MetricComparison_;
  evidence: EvidenceResults | null;
  left_out: Table_LeftOutRow_;
}

/** A table of texts: at most 40 columns and 5,000 rows. */
export interface TableBody {
  title: string;
  columns: Array<Head>;
  lines: Array<Array<string>>;
  footnote?: string;
}

/** The first rows of a table, unchanged from the file. */
export interface TableHeadJson {
  columns: Array<string>;
  rows: Array<Array<string>>;
}

/** A table. A column without any value is omitted. */
export interface Table_AbsenceRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<AbsenceRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_AccuracyDifferenceRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<AccuracyDifferenceRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_AccuracyRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<AccuracyRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_AgreementRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<AgreementRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_BinRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<BinRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_BoardRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<BoardRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_CaptionerRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<CaptionerRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_CategoryRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<CategoryRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_CodedCount_ {
  title: string;
  columns: Array<Column>;
  rows: Array<CodedCount>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_CoderAgreement_ {
  title: string;
  columns: Array<Column>;
  rows: Array<CoderAgreement>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_CutRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<CutRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_DifferenceRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<DifferenceRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_Distribution_ {
  title: string;
  columns: Array<Column>;
  rows: Array<Distribution>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_ErrorSize_ {
  title: string;
  columns: Array<Column>;
  rows: Array<ErrorSize>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_EvidenceAgreement_ {
  title: string;
  columns: Array<Column>;
  rows: Array<EvidenceAgreement>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_EvidenceShare_ {
  title: string;
  columns: Array<Column>;
  rows: Array<EvidenceShare>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_Fact_ {
  title: string;
  columns: Array<Column>;
  rows: Array<Fact>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_FallRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<FallRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_FlowStep_ {
  title: string;
  columns: Array<Column>;
  rows: Array<FlowStep>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_HintChange_ {
  title: string;
  columns: Array<Column>;
  rows: Array<HintChange>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_LabelRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<LabelRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_LeftOutRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<LeftOutRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_LevelRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<LevelRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_MarkedPlace_ {
  title: string;
  columns: Array<Column>;
  rows: Array<MarkedPlace>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_MetricComparison_ {
  title: string;
  columns: Array<Column>;
  rows: Array<MetricComparison>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_MetricRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<MetricRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_NearRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<NearRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_PeopleCoefficient_ {
  title: string;
  columns: Array<Column>;
  rows: Array<PeopleCoefficient>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_PeopleTau_ {
  title: string;
  columns: Array<Column>;
  rows: Array<PeopleTau>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_PointShare_ {
  title: string;
  columns: Array<Column>;
  rows: Array<PointShare>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_PositionEffect_ {
  title: string;
  columns: Array<Column>;
  rows: Array<PositionEffect>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_ProbeExample_ {
  title: string;
  columns: Array<Column>;
  rows: Array<ProbeExample>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_RankAgreementRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<RankAgreementRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_RatedMetric_ {
  title: string;
  columns: Array<Column>;
  rows: Array<RatedMetric>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_RaterQualityRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<RaterQualityRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_RaterSummary_ {
  title: string;
  columns: Array<Column>;
  rows: Array<RaterSummary>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_RatingErrorRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<RatingErrorRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_Related_ {
  title: string;
  columns: Array<Column>;
  rows: Array<Related>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_SentenceRater_ {
  title: string;
  columns: Array<Column>;
  rows: Array<SentenceRater>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_ShareRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<ShareRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_StabilityRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<StabilityRow>;
  footnote: string;
}

/** A table. A column without any value is omitted. */
export interface Table_TauRow_ {
  title: string;
  columns: Array<Column>;
  rows: Array<TauRow>;
  footnote: string;
}

/** Kendall's taus, Pearson's r and Spearman's rho of one metric, times 100. */
export interface TauRow {
  benchmark: string;
  metric: string;
  label: string;
  variant: string;
  n: number;
  tau_b: number | null;
  tau_b_low: number | null;
  tau_b_high: number | null;
  tau_c: number | null;
  tau_c_low: number | null;
  tau_c_high: number | null;
  pearson: number | null;
  spearman: number | null;
  ties: number;
  convention: "b" | "c";
  note: string;
  published: Array<PublishedFigure>;
}

/** A study's pay and contact, which raters read before they start. Amounts are in minor units. */
export interface Terms {
  currency: string | null;
  hourly_rate: number | null;
  reward: number | null;
  contact: string;
}

/** New pay and contact of a study, as the user typed them. */
export interface TermsBody {
  stamp: string;
  terms: TermsTextInput;
}

/** Terms as texts for an HTML form: a currency's code, and amounts such as "9.50". */
export interface TermsTextInput {
  currency?: string;
  hourly_rate?: string;
  reward?: string;
  contact?: string;
}

/** Terms as texts for an HTML form: a currency's code, and amounts such as "9.50". */
export interface TermsTextOutput {
  currency: string;
  hourly_rate: string;
  reward: string;
  contact: string;
}

/** A catalogue of translations in the form that ui/static/shared/text.js reads. */
export interface TextsJson {
  language: string;
  direction: string;
  texts: Record<string, string | Record<string, string>>;
}

/** An object that a phrase names. */
export interface ThingJson {
  text: string;
  start: number;
  end: number;
  mark: "correct" | "incorrect" | "not judged";
}

/** Limits beyond which a rater gets a flag. */
export interface Thresholds {
  item_seconds: number;
  word_seconds: number;
  run_chance: number;
  longest_run: number;
  entropy: number;
  abstained: number;
  gold_passed: number;
  repeats_within_one: number;
  correlation: number;
  fewest_items: number;
  fewest_run: number;
  fewest_answers: number;
  fewest_gold: number;
  fewest_repeats: number;
}

/** A suggested edit of a caption, for people who try a metric. */
export interface Trial {
  kind: "leave out" | "add" | "exchange";
  words: string;
  caption: string;
}

/** Tokens of one or more model answers, as the model's server counted them. */
export interface Usage {
  answers: number;
  counted: number;
  prompt: number | null;
  completion: number | null;
  total: number | null;
  cached: number | null;
  reasoning: number | null;
}

/** A scale of points, and the criteria that use it. */
export interface UsedScale {
  points: Array<number>;
  criteria: Array<string>;
}

/** A rater's next stage before or after the items, such as consent. */
export interface VisitJson {
  stage: "consent" | "before" | "check" | "screened_out" | "failed_check" | "failed_gold" | "declined" | "returned" | "rate" | "after" | "done" | "full";
  consent: string;
  questions: Array<QuestionJson>;
  stamp: string;
  check: CheckJson | null;
  end: EndJson | null;
  stopped: "not_started" | "paused" | "closed" | "pilot_over" | "excluded" | "failed_gold" | "full" | null;
}

/** Event: the job has not begun yet. */
export interface Waiting {
  before: number;
}

/** A request for proposals of control items (gold or practice). */
export interface WantedBody {
  making: "swapped" | "turned";
  count: number;
  seed: number;
}

/** New thresholds for a study's raters, and how often they get gold items (with known answers) and repeats. */
export interface WatchBody {
  stamp: string;
  thresholds: Record<string, number>;
  gold_every: number | null;
  repeat_every: number | null;
  stop_after_gold?: number | null;
}

/** Raters whose unfinished items are released. They are named by codes or by the recruitment platform's ids. */
export interface Whose {
  codes: Array<string>;
  why?: "returned" | "timed_out" | "by_hand";
}

/** A rater whose return key is wanted. */
export interface WhoseKey {
  code: string;
}

/** One rater's work in a study. */
export interface WorkJson {
  code: string;
  items: Array<WorkedItem>;
}

/** An item that a rater got, with the answers. */
export interface WorkedItem {
  place: number | null;
  item: number | null;
  role: string;
  key: string;
  caption: string;
  given_at: string | null;
  started_at: string | null;
  finished_at: string | null;
  released_at: string | null;
  seconds: number | null;
  note: string;
  answers: Array<GivenAnswer>;
}

/** Event: the progress of a running job. */
export interface Working {
  what: string;
  done: number;
  total: number;
}

/** How many items of each role one rater gets: items that count in results, practice, gold, repeats. */
export interface Workload {
  items: number;
  practice: number;
  gold: number;
  repeats: number;
}

/** The result of importing a file's answers, or of simulating the import. */
export interface ui__services__transfer__answer_files__TakenIn {
  rater: string;
  stored: number;
  known: number;
  refused: Record<string, number>;
  items: number;
  is_new_rater: boolean;
}

/** The result of importing coders' error codes from a file. */
export interface ui__web__routes__coding__TakenIn {
  codings: number;
  new: number;
  changed: number;
  codebook: string;
}

/** A caption to split into phrases. */
export interface ui__web__routes__inspect__Said {
  caption: string;
}

/** A request in which a rater confirms something, such as leaving a study. */
export interface ui__web__routes__visits__Said {
  yes: true;
}

type AnswerOfDelete<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/items/${Part}/withdrawal` ? SpokenJson :
  Bare<Path> extends `/api/samples/${Part}/regions/${Part}` ? RegionCount :
  Bare<Path> extends `/api/studies/${Part}/controls/${Part}` ? Array<ControlJson> :
  Bare<Path> extends `/api/studies/${Part}/links/${Part}` ? LinkJson :
  Bare<Path> extends `/api/analyse/work/${Part}` ? HowFar | null :
  Bare<Path> extends `/api/imports/${Part}/files` ? ReceivedFile :
  Bare<Path> extends `/api/analyse/slices` ? Removed :
  Bare<Path> extends `/api/rate/session` ? SessionJson :
  never;

type AnswerOfGet<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/raters/${Part}/work` ? WorkJson :
  Bare<Path> extends `/api/analyse/samples/${Part}/ratings` ? Array<SampleRating> :
  Bare<Path> extends `/api/rate/items/${Part}/feedback` ? FeedbackJson :
  Bare<Path> extends `/api/rate/studies/${Part}/items` ? QueueJson :
  Bare<Path> extends `/api/rate/studies/${Part}/messages` ? Array<Message> :
  Bare<Path> extends `/api/rate/studies/${Part}/standing` ? StandingJson :
  Bare<Path> extends `/api/rate/studies/${Part}/visit` ? VisitJson :
  Bare<Path> extends `/api/studies/${Part}/controls/makings` ? Array<"swapped" | "turned"> :
  Bare<Path> extends `/api/analyse/left-out/captions` ? ListedOmissions :
  Bare<Path> extends `/api/analyse/left-out/metrics` ? Array<string> :
  Bare<Path> extends `/api/analyse/probe/metrics` ? Array<string> :
  Bare<Path> extends `/api/analyse/studies/${Part}` ? StudyResults :
  Bare<Path> extends `/api/analyse/work/${Part}` ? HowFar | null :
  Bare<Path> extends `/api/rate/texts/${Part}` ? TextsJson :
  Bare<Path> extends `/api/samples/${Part}/metrics` ? Array<Readiness> :
  Bare<Path> extends `/api/studies/${Part}/controls` ? Array<ControlJson> :
  Bare<Path> extends `/api/studies/${Part}/disputes` ? DisputesJson :
  Bare<Path> extends `/api/studies/${Part}/entry` ? EntryJson :
  Bare<Path> extends `/api/studies/${Part}/links` ? Array<LinkJson> :
  Bare<Path> extends `/api/studies/${Part}/monitor` ? MonitorJson :
  Bare<Path> extends `/api/studies/${Part}/panels` ? PlatformsJson :
  Bare<Path> extends `/api/studies/${Part}/participants` ? StudyMonitor :
  Bare<Path> extends `/api/studies/${Part}/pay` ? PayJson :
  Bare<Path> extends `/api/studies/${Part}/report` ? StudySummary :
  Bare<Path> extends `/api/studies/${Part}/reports` ? SpokenJson :
  Bare<Path> extends `/api/studies/${Part}/shares` ? Array<Share> :
  Bare<Path> extends `/api/studies/${Part}/workload` ? RaterWorkload :
  Bare<Path> extends `/api/analyse/around` ? Around :
  Bare<Path> extends `/api/analyse/benchmarks` ? Array<string> :
  Bare<Path> extends `/api/analyse/calibration` ? Calibrations :
  Bare<Path> extends `/api/analyse/captioners` ? CaptionerComparison :
  Bare<Path> extends `/api/analyse/categories` ? Array<Table_CategoryRow_> :
  Bare<Path> extends `/api/analyse/correlations` ? Correlations :
  Bare<Path> extends `/api/analyse/datasets` ? Array<ScoredDataset> :
  Bare<Path> extends `/api/analyse/density` ? PackedDensity :
  Bare<Path> extends `/api/analyse/errors` ? ListedErrors :
  Bare<Path> extends `/api/analyse/examples` ? Array<CodedExample> :
  Bare<Path> extends `/api/analyse/left-out` ? Omissions :
  Bare<Path> extends `/api/analyse/members` ? PackedMembers :
  Bare<Path> extends `/api/analyse/metrics` ? Array<KnownMetric> :
  Bare<Path> extends `/api/analyse/nearer` ? Table_NearRow_ :
  Bare<Path> extends `/api/analyse/partings` ? ListedPartings :
  Bare<Path> extends `/api/analyse/parts` ? Array<KnownPart> :
  Bare<Path> extends `/api/analyse/people` ? PeopleAgreement :
  Bare<Path> extends `/api/analyse/points` ? PackedPoints :
  Bare<Path> extends `/api/analyse/probe` ? ProbeReport :
  Bare<Path> extends `/api/analyse/relations` ? Relations :
  Bare<Path> extends `/api/analyse/reproduction` ? Board :
  Bare<Path> extends `/api/analyse/several` ? SeveralJson :
  Bare<Path> extends `/api/analyse/slices` ? Slices :
  Bare<Path> extends `/api/analyse/spread` ? Spread :
  Bare<Path> extends `/api/analyse/studies` ? Array<RatedStudy> :
  Bare<Path> extends `/api/analyse/unscored` ? Array<string> :
  Bare<Path> extends `/api/coding/codebooks` ? Array<Codebook> :
  Bare<Path> extends `/api/coding/coded` ? Coded :
  Bare<Path> extends `/api/imports/options` ? ImportOptions :
  Bare<Path> extends `/api/rate/epoch` ? EpochJson :
  Bare<Path> extends `/api/rate/session` ? SessionJson :
  Bare<Path> extends `/api/rate/studies` ? Array<RatedStudyJson> :
  Bare<Path> extends `/api/studies/forms` ? Array<FormJson> :
  Bare<Path> extends `/api/studies/languages` ? Array<LanguageJson> :
  Bare<Path> extends `/api/imports/${Part}` ? ImportJson :
  Bare<Path> extends `/api/samples/${Part}` ? SampleJson :
  Bare<Path> extends `/api/datasets` ? Array<DatasetSummary> :
  Bare<Path> extends `/api/filters` ? Filters :
  Bare<Path> extends `/api/published` ? Array<PublishedJson> :
  Bare<Path> extends `/api/samples` ? FoundSamples :
  Bare<Path> extends `/api/studies` ? Array<StudyJson> :
  never;

type AnswerOfPost<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/disputes/${Part}/${Part}/sentences/${Part}` ? DisputesJson :
  Bare<Path> extends `/api/rate/studies/${Part}/messages/read` ? Array<Message> :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/answers` ? VisitJson :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/check` ? VisitJson :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/consent` ? VisitJson :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/leaving` ? VisitJson :
  Bare<Path> extends `/api/studies/${Part}/items/${Part}/withdrawal` ? SpokenJson :
  Bare<Path> extends `/api/studies/${Part}/disputes/${Part}/${Part}` ? DisputesJson :
  Bare<Path> extends `/api/rate/items/${Part}/hints` ? Array<Hint> :
  Bare<Path> extends `/api/studies/${Part}/answers/preview` ? ui__services__transfer__answer_files__TakenIn :
  Bare<Path> extends `/api/studies/${Part}/controls/proposals` ? Array<MadeItemJson> :
  Bare<Path> extends `/api/studies/${Part}/entry/lines` ? Array<ReadLine> :
  Bare<Path> extends `/api/studies/${Part}/raters/bulk` ? ChangedJson :
  Bare<Path> extends `/api/studies/${Part}/raters/erase` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/raters/exclude` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/raters/include` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/raters/platform` ? PersonJson :
  Bare<Path> extends `/api/studies/${Part}/raters/release` ? NumberJson :
  Bare<Path> extends `/api/imports/${Part}/cancel` ? ImportJson :
  Bare<Path> extends `/api/imports/${Part}/look` ? LookJson :
  Bare<Path> extends `/api/imports/${Part}/start` ? ImportJson :
  Bare<Path> extends `/api/samples/${Part}/regions` ? RegionCount :
  Bare<Path> extends `/api/samples/${Part}/sentences` ? Array<SaidSentence> :
  Bare<Path> extends `/api/studies/${Part}/answers` ? ui__services__transfer__answer_files__TakenIn :
  Bare<Path> extends `/api/studies/${Part}/controls` ? Array<ControlJson> :
  Bare<Path> extends `/api/studies/${Part}/copies` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/delete` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/keys` ? ReturnKeyJson :
  Bare<Path> extends `/api/studies/${Part}/links` ? Array<NewLinkJson> :
  Bare<Path> extends `/api/studies/${Part}/messages` ? SpokenJson :
  Bare<Path> extends `/api/studies/${Part}/panel-links` ? NewLinkJson :
  Bare<Path> extends `/api/studies/${Part}/state` ? NumberJson :
  Bare<Path> extends `/api/analyse/lasso` ? PackedLassoed :
  Bare<Path> extends `/api/coding/codebooks` ? Codebook :
  Bare<Path> extends `/api/coding/coded-set` ? ui__web__routes__coding__TakenIn :
  Bare<Path> extends `/api/rate/arrival` ? SessionJson :
  Bare<Path> extends `/api/rate/kept` ? ComparedJson :
  Bare<Path> extends `/api/rate/lacking` ? ComparedJson :
  Bare<Path> extends `/api/rate/saves` ? SavesJson :
  Bare<Path> extends `/api/rate/session` ? SessionJson :
  Bare<Path> extends `/api/studies/forecast` ? StudyForecast :
  Bare<Path> extends `/api/studies/forms` ? FormJson :
  Bare<Path> extends `/api/studies/preview` ? PreviewJson :
  Bare<Path> extends `/api/published/${Part}` ? ImportKey :
  Bare<Path> extends `/api/datasets` ? MadeDataset :
  Bare<Path> extends `/api/imports` ? ImportKey :
  Bare<Path> extends `/api/judge` ? Waiting | Working | JudgedOutcome | NotJudged :
  Bare<Path> extends `/api/own` ? OwnSample :
  Bare<Path> extends `/api/phrases` ? Array<SaidPhrase> :
  Bare<Path> extends `/api/studies` ? StudyJson :
  never;

type AnswerOfPut<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/panel-links/${Part}` ? LinkJson :
  Bare<Path> extends `/api/imports/${Part}/files` ? ReceivedFile :
  Bare<Path> extends `/api/studies/${Part}/course` ? NumberJson :
  Bare<Path> extends `/api/studies/${Part}/entry` ? EntryTextsJson :
  Bare<Path> extends `/api/studies/${Part}/shares` ? Array<Share> :
  Bare<Path> extends `/api/studies/${Part}/terms` ? TermsTextOutput :
  Bare<Path> extends `/api/studies/${Part}/watch` ? MonitorJson :
  Bare<Path> extends `/api/analyse/slices` ? Slice :
  Bare<Path> extends `/api/coding/codes` ? CodeBefore :
  never;

/** Answer of the server to a request; type never if no route takes it. */
export type Answer<Method extends string, Path extends string> =
  Method extends "DELETE" ? AnswerOfDelete<Path> :
  Method extends "GET" ? AnswerOfGet<Path> :
  Method extends "POST" ? AnswerOfPost<Path> :
  Method extends "PUT" ? AnswerOfPut<Path> :
  never;

type BodyOfPost<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/disputes/${Part}/${Part}/sentences/${Part}` ? SentenceDecisionBody :
  Bare<Path> extends `/api/rate/studies/${Part}/messages/read` ? ReadMessages :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/answers` ? Answers :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/check` ? CheckAnswers :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/consent` ? Agreed :
  Bare<Path> extends `/api/rate/studies/${Part}/visit/leaving` ? ui__web__routes__visits__Said :
  Bare<Path> extends `/api/studies/${Part}/disputes/${Part}/${Part}` ? DecisionBody :
  Bare<Path> extends `/api/rate/items/${Part}/hints` ? Sentence :
  Bare<Path> extends `/api/studies/${Part}/answers/preview` ? AnswersBody :
  Bare<Path> extends `/api/studies/${Part}/controls/proposals` ? WantedBody :
  Bare<Path> extends `/api/studies/${Part}/entry/lines` ? LinesBody :
  Bare<Path> extends `/api/studies/${Part}/raters/bulk` ? BulkBody :
  Bare<Path> extends `/api/studies/${Part}/raters/erase` ? Erased :
  Bare<Path> extends `/api/studies/${Part}/raters/exclude` ? Excluded :
  Bare<Path> extends `/api/studies/${Part}/raters/include` ? Included :
  Bare<Path> extends `/api/studies/${Part}/raters/platform` ? Included :
  Bare<Path> extends `/api/studies/${Part}/raters/release` ? Whose :
  Bare<Path> extends `/api/imports/${Part}/look` ? ImportBody :
  Bare<Path> extends `/api/imports/${Part}/start` ? ImportBody :
  Bare<Path> extends `/api/samples/${Part}/regions` ? DrawnRegion :
  Bare<Path> extends `/api/samples/${Part}/sentences` ? SaidText :
  Bare<Path> extends `/api/studies/${Part}/answers` ? AnswersImportBody :
  Bare<Path> extends `/api/studies/${Part}/controls` ? ApprovalBody :
  Bare<Path> extends `/api/studies/${Part}/copies` ? Name :
  Bare<Path> extends `/api/studies/${Part}/delete` ? Name :
  Bare<Path> extends `/api/studies/${Part}/keys` ? WhoseKey :
  Bare<Path> extends `/api/studies/${Part}/links` ? NewLinks :
  Bare<Path> extends `/api/studies/${Part}/messages` ? NewMessage :
  Bare<Path> extends `/api/studies/${Part}/panel-links` ? PanelBody :
  Bare<Path> extends `/api/studies/${Part}/state` ? NewState :
  Bare<Path> extends `/api/analyse/lasso` ? LassoBody :
  Bare<Path> extends `/api/coding/codebooks` ? Record<string, any> :
  Bare<Path> extends `/api/coding/coded-set` ? CodedSetBody :
  Bare<Path> extends `/api/rate/arrival` ? Arrived :
  Bare<Path> extends `/api/rate/kept` ? Kept :
  Bare<Path> extends `/api/rate/lacking` ? KeptOf :
  Bare<Path> extends `/api/rate/saves` ? Saves :
  Bare<Path> extends `/api/rate/session` ? Enter :
  Bare<Path> extends `/api/studies/forecast` ? PlanQuestion :
  Bare<Path> extends `/api/studies/forms` ? FormText :
  Bare<Path> extends `/api/studies/preview` ? Draft :
  Bare<Path> extends `/api/tables/latex` ? TableBody :
  Bare<Path> extends `/api/datasets` ? NewDataset :
  Bare<Path> extends `/api/judge` ? JudgeBody :
  Bare<Path> extends `/api/phrases` ? ui__web__routes__inspect__Said :
  Bare<Path> extends `/api/studies` ? Draft :
  never;

type BodyOfPut<Path extends string> =
  Bare<Path> extends `/api/studies/${Part}/panel-links/${Part}` ? PanelEnds :
  Bare<Path> extends `/api/studies/${Part}/course` ? Settings :
  Bare<Path> extends `/api/studies/${Part}/entry` ? EntryBody :
  Bare<Path> extends `/api/studies/${Part}/shares` ? NewShare :
  Bare<Path> extends `/api/studies/${Part}/terms` ? TermsBody :
  Bare<Path> extends `/api/studies/${Part}/watch` ? WatchBody :
  Bare<Path> extends `/api/analyse/slices` ? SliceBody :
  Bare<Path> extends `/api/coding/codes` ? OneCode :
  never;

/** What a request carries as JSON. */
export type Body<Method extends string, Path extends string> =
  Method extends "POST" ? BodyOfPost<Path> :
  Method extends "PUT" ? BodyOfPut<Path> :
  never;
