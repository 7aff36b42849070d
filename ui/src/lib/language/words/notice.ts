// What the user should know about how a turn went, and what to do about it.

export const noticeWords = {
  'notice.models': { en: 'Model settings', 'zh-CN': '模型设置' },
  'notice.model_switched': { en: '{to} answers instead of {from}. {why}', 'zh-CN': '改由 {to} 回答（原为 {from}）。{why}' },
  'notice.input_cut': {
    en: 'The service read only {read} of about {sent} tokens, so the model missed the beginning. Raise the window in the service (num_ctx in Ollama), or set the model’s window to what it reads.',
    'zh-CN': '服务只读取了约 {sent} 个词元中的 {read} 个，模型没有看到开头。请在服务中调大窗口（Ollama 为 num_ctx），或把模型的窗口设为它实际读取的大小。',
  },
  'notice.tools_left_out': {
    en: 'This model takes no tools, so it can’t read or save notes here. Choose another model for that.',
    'zh-CN': '这个模型不支持工具，因此不能读取或保存笔记。需要时请换用其他模型。',
  },
  'notice.images_left_out': {
    en: 'This model takes no images, so it does not see the earlier ones.',
    'zh-CN': '这个模型不支持图片，因此看不到之前的图片。',
  },
} as const;
