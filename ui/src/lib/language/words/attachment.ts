// Files that come with a message: adding, showing and refusing them.

export const attachmentWords = {
  'attachment.add': { en: 'Attach files', 'zh-CN': '添加文件' },
  'attachment.waiting': { en: 'Attached files', 'zh-CN': '已添加的文件' },
  'attachment.sent': { en: 'Files of this message', 'zh-CN': '这条消息的文件' },
  'attachment.busy': { en: 'Adding “{name}”', 'zh-CN': '正在添加“{name}”' },
  'attachment.wait': { en: 'The files are still being added', 'zh-CN': '文件还在添加' },
  'attachment.remove': { en: 'Remove “{name}”', 'zh-CN': '移除“{name}”' },
  'attachment.drop': { en: 'Drop the files here to attach them', 'zh-CN': '松开鼠标即可添加文件' },
  'attachment.pasted': { en: 'Pasted picture', 'zh-CN': '粘贴的图片' },
  'attachment.takes': {
    en: 'Pictures, PDF files, and text up to 512 KB can be attached.',
    'zh-CN': '可以添加图片、PDF，以及 512 KB 以内的文本文件。',
  },
  'attachment.empty': { en: 'There is nothing in it.', 'zh-CN': '文件是空的。' },
  'attachment.too_large': { en: 'It is larger than {limit} MB.', 'zh-CN': '文件超过 {limit} MB。' },
  'attachment.unreadable': { en: 'It can’t be read.', 'zh-CN': '无法读取。' },
  'attachment.enlarge': { en: 'Enlarge “{name}”', 'zh-CN': '放大“{name}”' },
  'attachment.previous': { en: 'Previous picture', 'zh-CN': '上一张' },
  'attachment.next': { en: 'Next picture', 'zh-CN': '下一张' },
  'attachment.place': { en: '{at} of {count}', 'zh-CN': '第 {at} 张，共 {count} 张' },
  'attachment.missing': { en: '“{name}” can’t be shown.', 'zh-CN': '无法显示“{name}”。' },
} as const;
