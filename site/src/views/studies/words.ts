import { words } from "../../words/words";

export const studyWords = words({
  en: {
    title: "Studies",
    lead: "What four published studies printed, beside the newest numbers of these hosts.",
    study: "Study {id}",
    "question.000": "Is Jetty slower than Tomcat with virtual threads?",
    "answer.000":
      "No. Jetty counts virtual threads against its limit of 200 threads, and Tomcat does not. One property lifts the limit: server.jetty.threads.max. At 5,000 connections Tomcat falls because its heap is full of waiting requests, and the collector stops it.",
    "question.001": "Is WebFlux faster than virtual threads?",
    "answer.001":
      "Hardly. Both carry as many waiting requests as there are. WebFlux takes less CPU for each. What the study compared with is a pool of 200 threads, and that pool is the limit.",
    "question.003": "Does a slow upstream need WebFlux?",
    "answer.003":
      "No. It needs no pool of 200 threads. Virtual threads, or as many threads as connections, wait just as well.",
    "question.004": "Which server is the lightest in a container?",
    "answer.004":
      "The study cannot tell: it offered 300 requests a second to each server, and each served them. What a server can take shows only when it is offered more.",
    unknown: "What does it ask?",
    "not-here":
      "None of its cases was measured on these hosts. springbench run --profile {profile} repeats it.",
    repeat: "springbench run --profile {profile} repeats it as a whole.",
    figures: "Published and measured figures",
    "col.case": "Case",
    "col.metric": "Metric",
    "col.published": "Published",
    "col.measured": "Measured here",
    "col.ratio": "Ratio",
    "col.as": "Measured as",
    "col.bottleneck": "Bottleneck",
    ratio:
      "Ratio: measured ÷ published. Several published values of one measurement: their middle.",
    about: "about {value}",
    missing: "{count} more figures of it have no counterpart here.",
    differs: "What is unlike the study",
    "setting.machine": "Machine",
    "setting.memory": "Memory limit",
    "setting.boot": "Spring Boot",
    "setting.tool": "Load by",
    unstated: "not said",
    "col.what": "What",
    "col.there": "The study",
    "col.here": "Here",
    "here.machine": "{cores} × {cpu}, {memory}",
    "here.tool": "wrk",
    reversed:
      "Under {load} the study has {first} before {second} by {there} ×. Here it is the other way round, by {here} ×.",
    bottlenecks: "Here {first} is limited by {one}, {second} by {other}.",
  },
  zh: {
    title: "已发表的研究",
    lead: "四项已发表研究给出的数值，与这些主机上最新测得的数值并列。",
    study: "研究 {id}",
    "question.000": "使用虚拟线程时，Jetty 比 Tomcat 慢吗？",
    "answer.000":
      "不慢。Jetty 把虚拟线程也计入 200 个线程的上限，Tomcat 不计入。一个属性即可提高上限：server.jetty.threads.max。连接数为 5,000 时 Tomcat 下降，是因为堆中堆满了等待的请求，垃圾回收使其停顿。",
    "question.001": "WebFlux 比虚拟线程快吗？",
    "answer.001":
      "几乎没有差别。等待中的请求有多少，两者就能承载多少；WebFlux 每个请求耗费的 CPU 更少。该研究的比较对象是 200 个线程的线程池，瓶颈正是这个线程池。",
    "question.003": "上游缓慢时需要 WebFlux 吗？",
    "answer.003":
      "不需要，只要不用 200 个线程的线程池。虚拟线程，或与连接数一样多的线程，同样能等待。",
    "question.004": "容器中哪种服务器最轻量？",
    "answer.004":
      "该研究无法回答：它对每种服务器都只施加每秒 300 个请求，每种都处理完了。只有施加更大的负载，才能看出服务器的能力。",
    unknown: "它问的是什么？",
    "not-here": "这些主机上没有测量过它的任何用例。springbench run --profile {profile} 可以重做。",
    repeat: "springbench run --profile {profile} 可以完整重做。",
    figures: "发表的数值与测得的数值",
    "col.case": "用例",
    "col.metric": "指标",
    "col.published": "发表值",
    "col.measured": "此处测得",
    "col.ratio": "比值",
    "col.as": "测量对象",
    "col.bottleneck": "受限于",
    ratio: "比值：测得值 ÷ 发表值。同一测量发表了多个值时，取其中位数。",
    about: "约 {value}",
    missing: "另有 {count} 个数值在此没有对应的测量。",
    differs: "与该研究的不同之处",
    "setting.machine": "机器",
    "setting.memory": "内存上限",
    "setting.boot": "Spring Boot",
    "setting.tool": "负载工具",
    unstated: "未说明",
    "col.what": "项目",
    "col.there": "该研究",
    "col.here": "此处",
    "here.machine": "{cores} × {cpu}，{memory}",
    "here.tool": "wrk",
    reversed: "在 {load} 下，该研究中 {first} 领先 {second} {there} 倍；此处相反，相差 {here} 倍。",
    bottlenecks: "此处 {first} 受限于 {one}，{second} 受限于 {other}。",
  },
});

export type StudyWord = keyof typeof studyWords.en;
