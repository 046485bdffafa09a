"""What is told when a run has ended: its table, its files, its page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from springbench import units
from springbench.errors import ConfigurationError, HostError
from springbench.history.condense import condense
from springbench.history.offline import page_of, read_template
from springbench.host.screen import show
from springbench.paths import shown
from springbench.report.console import print_run
from springbench.report.markdown import render
from springbench.results.run import Run
from springbench.results.store import LATEST, RunFolder, write_atomically
from springbench.run.scheduler import RunScheduler
from springbench.untrusted import one_line


def tell_end(
    scheduler: RunScheduler, results: Path, out: Console, *, brief: bool, open_page: bool
) -> None:
    """Raises what ended it early, where that was the host, after all that was measured."""
    if scheduler.failure:
        print_run(scheduler.run, out)
        raise _unfinished(scheduler.failure, scheduler.folder)
    if brief:
        out.print(f"measured in {units.duration(scheduler.run.run.measured_s)}", markup=False)
    else:
        _finish(scheduler, results, out, open_page=open_page)


def _unfinished(failure: HostError, folder: RunFolder) -> HostError:
    return HostError(
        f"{failure}\nwhat was measured is kept; `springbench run --resume {shown(folder.path)}` "
        "finishes it"
    )


def _finish(scheduler: RunScheduler, results: Path, out: Console, *, open_page: bool) -> None:
    print_run(scheduler.run, out)
    report = scheduler.folder.path.with_name(f"{scheduler.run.run.id}.md")
    write_atomically(report, render(scheduler.run))
    page, why_not = _write_page(scheduler.run, report.with_suffix(".html"))
    out.print()
    measured = units.duration(scheduler.run.run.measured_s)
    state = "interrupted after" if scheduler.interrupted else "measured in"
    out.print(
        f"{state} {measured}: {shown(scheduler.folder.file)}, {shown(report)} "
        f"(also {shown(results / LATEST)})",
        markup=False,
        soft_wrap=True,
    )
    if page is None:
        out.print(f"no report page: {why_not}", markup=False, soft_wrap=True)
        return
    out.print(f"report page: {shown(page)}", markup=False, soft_wrap=True)
    if open_page and not scheduler.interrupted:
        show(page)


def _write_page(run: Run, file: Path) -> tuple[Path | None, str]:
    """The report as a page, or why there is none: the run is whole and saved all the same."""
    template = read_template()
    if template is None:
        return None, "`make site` in a clone of springbench builds what it is made from"
    try:
        write_atomically(file, page_of(template, [condense([run])]))
    except ConfigurationError as error:
        # as of a run without a single case
        return None, one_line(str(error))
    except OSError as error:
        return None, f"{error.strerror}; `springbench report --format page` makes it"
    return file, ""
