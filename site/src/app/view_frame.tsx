/** One view: its code on its way, drawn, or in trouble. What fails in one does not affect the others. */

import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../data/load";
import { Notice } from "../parts/notice";
import type { View } from "../views/views";
import type { Say } from "../words/words";
import { useApp } from "./context";

export function ViewFrame({ view }: { readonly view: View }) {
  const { say } = useApp();
  const [ViewComponent, setViewComponent] = useState<ComponentType | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    let active = true;
    view.load().then(
      (loaded) => active && setViewComponent(() => loaded),
      () => active && setProblem(new Problem("problem.code", {})),
    );
    return () => {
      active = false;
    };
  }, [view]);
  if (problem !== null) return <Notice problem={problem} say={say} />;
  if (ViewComponent === null) return <p class="waiting">{say("page.loading")}</p>;
  return (
    <Guard say={say}>
      <ViewComponent />
    </Guard>
  );
}

interface GuardProps {
  readonly say: Say;
  readonly children: ComponentChildren;
}

class Guard extends Component<GuardProps, { problem: unknown }> {
  override state = { problem: null };

  static override getDerivedStateFromError(problem: unknown) {
    return { problem };
  }

  override render() {
    if (this.state.problem !== null) {
      return <Notice problem={this.state.problem} say={this.props.say} />;
    }
    return this.props.children;
  }
}
