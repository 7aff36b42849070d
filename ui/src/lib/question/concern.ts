// Why an act is asked in every mode, in the language in effect.
//
// The core says it in English, for the model and the trace as well. What it says is listed here, and
// a test holds the list to the core's own words; what is not listed is shown as it is.

import { language } from '../language/language.svelte';

/** The core's words, and what a Chinese reader is told. */
export const CONCERNS: Record<string, string> = {
  'a bracket that is not closed': '括号没有闭合',
  'a choice inside a substitution': '替换中含有分支',
  'a command that is put together on the way': '命令在运行时才拼成',
  'a command that is too long to be judged': '命令过长，无法判断',
  'a container can reach the whole computer': '容器可以触及整台电脑',
  'a file that may hold secrets': '文件中可能有密钥',
  "a file whose name can't be told": '无法确定文件名',
  'a path on another computer': '路径在另一台电脑上',
  'a path that begins with a variable': '路径以变量开头',
  'a path that is too long': '路径过长',
  'a path with control characters': '路径中有控制字符',
  'a path with invisible characters': '路径中有不可见字符',
  'a program text in another language': '其中含有另一种语言的程序',
  "a program whose name can't be told": '无法确定运行的程序',
  'a program whose name has other letters': '程序名中有特殊字母',
  'a quote that is not closed': '引号没有闭合',
  'a text in the line that has no end': '行内文本没有结束标记',
  "a text that can't be decoded": '文本无法解码',
  'a text that is given to a function': '文本被传给函数',
  'a variable that can change what is started': '变量会改变所启动的程序',
  'a word that gets another meaning': '某个词被赋予了别的含义',
  'a word with too many choices': '一个词的可能取值过多',
  'an option that starts another program': '选项会启动另一个程序',
  'an option that writes a file': '选项会写入文件',
  'changes the system': '修改系统',
  'changes what an agent is told later': '修改日后给智能体的指令',
  'changes what runs by itself later': '修改日后自动运行的内容',
  'changes where software is fetched from': '修改软件的下载来源',
  'changes who may do what': '修改权限',
  'commands nested too deep': '命令嵌套过深',
  'control characters': '含有控制字符',
  'invisible characters': '含有不可见字符',
  'letters that are hidden from the reader': '含有读者看不到的字母',
  'letters that look like others': '含有形似其他字母的字符',
  'publishes something or changes it for others': '公开发布内容，或改动他人也在用的内容',
  'removes more than named files, for good': '删除的不只是指明的文件，且无法恢复',
  "removes something that can't be told": '无法确定会删除什么',
  'runs a file on its way': '途中会运行一个文件',
  'runs a file that the same line makes': '运行同一行命令刚生成的文件',
  'runs as administrator': '以管理员身份运行',
  'runs text that is made on the way': '运行途中生成的文本',
  'runs what comes from the network': '运行来自网络的内容',
  'sends a secret to another computer': '把密钥发送到别的电脑',
  'sends data to another computer': '把数据发送到别的电脑',
  'stops programs or the computer': '停止程序或关闭电脑',
  'the folder in which a file is named': '无法确定文件所在的文件夹',
  "throws work away that can't be brought back": '丢弃无法找回的工作',
  'too many commands': '命令过多',
  "writes to a place that can't be told": '无法确定会写到哪里',
};

/** A variable's name stands before it. */
const STARTS = ' can change what is started';

/** What the core said, in words of the language in effect. */
export function concernText(what: string): string {
  if (language.current === 'en') return what;
  if (what.endsWith(STARTS)) return `${what.slice(0, -STARTS.length)} 会改变所启动的程序`;
  return CONCERNS[what] ?? what;
}
