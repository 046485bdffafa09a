import { words } from "../../words/words";

export const releaseWords = words({
  en: {
    title: "Releases",
    lead: "What each release of Spring Boot costs: the same servers, the same load, only the version differs.",
    nothing: "This history has no releases.",
    "nothing.remedy":
      "springbench releases 4.0.0.. measures them, as a history of their own; make site then shows it.",
    "answer.steps":
      "From {first} to {last}, {count} of the steps found were confirmed by a comparison: {names}.",
    "answer.open": "From {first} to {last} no step was confirmed; suspected: {names}.",
    "answer.none":
      "From {first} to {last} nothing changed for good, as far as these runs can tell.",
    metric: "Metric",
    chart: "{metric} by release of Spring Boot",
    "chart.meaning":
      "{better} Each point is the mean of the runs of a release; its band reaches from the least to the greatest. Triangles are steps that lasted: full where a comparison has confirmed one.",
    "chart.label": "Chart: {title}. The table below has its numbers.",
    "better.higher": "Higher is better.",
    "better.lower": "Lower is better.",
    steps: "Steps",
    "steps.none": "No lasting step was found.",
    "col.release": "Release",
    "col.what": "What changed",
    "col.size": "By how much",
    "col.state": "State",
    between: "{before} → {after}",
    numbers: "Numbers",
    table: "The numbers as a table",
    "table.meaning":
      "Below each number: what a comparison in pairs found since the release before it, with its 95 % interval, and over how many runs the number is taken. Two rows may be of two speeds of the host: the comparison is what counts.",
    beside: "{change} ({low} to {high})",
    runs: "{runs} runs ± {spread}",
    "one-run": "1 run",
    "none-fits": "No variant fits these filters.",
    measured: "Measured as: {how}.",
  },
  zh: {
    title: "发行版本",
    lead: "Spring Boot 每个发行版本的开销：服务器相同，负载相同，只有版本不同。",
    nothing: "此历史中没有发行版本。",
    "nothing.remedy":
      "springbench releases 4.0.0.. 会把它们作为单独的历史来测量，之后用 make site 查看。",
    "answer.steps": "从 {first} 到 {last}，发现的阶跃中有 {count} 个经对比确认：{names}。",
    "answer.open": "从 {first} 到 {last} 没有经确认的阶跃；可疑的有：{names}。",
    "answer.none": "从 {first} 到 {last}，就这些运行所能分辨的而言，没有持久的变化。",
    metric: "指标",
    chart: "Spring Boot 各发行版本的{metric}",
    "chart.meaning":
      "{better}每个点是一个版本各次运行的平均值，色带从最小值到最大值。三角形为持久的阶跃；实心表示已由对比确认。",
    "chart.label": "图表：{title}。数值见下方表格。",
    "better.higher": "越高越好。",
    "better.lower": "越低越好。",
    steps: "阶跃",
    "steps.none": "未发现持久的阶跃。",
    "col.release": "版本",
    "col.what": "变化内容",
    "col.size": "变化幅度",
    "col.state": "状态",
    between: "{before} → {after}",
    numbers: "数值",
    table: "以表格显示数值",
    "table.meaning":
      "每个数值下方：与前一版本成对比较得到的变化及其 95 % 区间，以及该数值取自多少次运行。不同行的数值，主机速度可能不同：以成对比较为准。",
    beside: "{change}（{low} 至 {high}）",
    runs: "{runs} 次运行 ± {spread}",
    "one-run": "1 次运行",
    "none-fits": "没有符合筛选条件的变体。",
    measured: "测量方式：{how}。",
  },
});
