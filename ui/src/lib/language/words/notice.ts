// What the user should know about how a turn went, and what to do about it.

export const noticeWords = {
  'notice.models': { en: 'Model settings', 'zh-CN': '模型设置' },
  'notice.model_switched': { en: '{to} answers instead of {from}. {why}', 'zh-CN': '改由 {to} 回答（原为 {from}）。{why}' },
  'notice.input_cut': {
    en: 'The service read only {read} of about {sent} tokens, so the model missed the beginning. Raise the window in the service (num_ctx in Ollama), or set the model’s window to what it reads.',
    'zh-CN': '服务只读取了约 {sent} 个词元中的 {read} 个，模型没有看到开头。请在服务中调大窗口（Ollama 为 num_ctx），或把模型的窗口设为它实际读取的大小。',
  },
  'notice.context_shortened': {
    en: 'Older parts of this conversation were shortened for the model: {before} → {after} tokens. Nothing was deleted.',
    'zh-CN': '为腾出空间，发给模型的较早内容已压缩：{before} → {after} 个词元。原文没有删除。',
  },
  'notice.context_full': {
    en: 'No more room can be made: rules, tools and your message alone take {fixed} of {window} tokens. Choose a model with a larger window, or send less at once.',
    'zh-CN': '已无法腾出更多空间：规则、工具和这条消息就占了 {window} 个词元中的 {fixed} 个。请换用窗口更大的模型，或减少一次发送的内容。',
  },
  'notice.summary_failed': {
    en: 'The context is full, and the model wrote no usable summary of its older part. Everything was sent as it is; try again, or compact by hand.',
    'zh-CN': '上下文已满，而模型没有写出可用的摘要，内容已原样发送。请重试，或手动压缩。',
  },
  'notice.no_progress': {
    en: 'The model called {tool} {times} times without getting further, so it was asked to conclude.',
    'zh-CN': '模型连续 {times} 次调用 {tool} 而没有进展，已要求它作出结论。',
  },
  'notice.not_concluded': {
    en: 'The model was asked to conclude and said nothing more. What was reached stands above.',
    'zh-CN': '已要求模型作出结论，但它没有再说什么。目前的进展见上文。',
  },
  'notice.tools_left_out': {
    en: 'This model takes no tools, so it can’t read or save notes here. Choose another model for that.',
    'zh-CN': '这个模型不支持工具，因此不能读取或保存笔记。需要时请换用其他模型。',
  },
  'notice.images_left_out': {
    en: 'This model takes no images, so it does not see the earlier ones.',
    'zh-CN': '这个模型不支持图片，因此看不到之前的图片。',
  },
  'notice.instructions_suspicious': {
    en: 'The instructions in {path} try to take over. They are not followed in this conversation.',
    'zh-CN': '{path} 中的说明试图操纵助手，本次会话不予采用。',
  },
  'notice.instructions_too_long': {
    en: 'The instructions in {path} are too long. They are not followed in this conversation.',
    'zh-CN': '{path} 中的说明过长，本次会话不予采用。',
  },
} as const;
