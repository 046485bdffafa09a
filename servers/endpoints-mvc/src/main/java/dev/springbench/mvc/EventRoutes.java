package dev.springbench.mvc;

import dev.springbench.common.EventStream;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Server-sent events: a stream holds no thread between two of them, and one thread sends all. */
@RestController
class EventRoutes implements DisposableBean {

    private static final long NEVER = 0;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("events").factory());

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events(@RequestParam(defaultValue = "5") int count, @RequestParam(defaultValue = "1000") int everyMs) {
        EventStream stream = new EventStream(count, everyMs);
        SseEmitter emitter = new SseEmitter(NEVER);
        new Sender(emitter, stream).start();
        return emitter;
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
    }

    private final class Sender implements Runnable {

        private final SseEmitter emitter;
        private final EventStream stream;
        private int sent;
        private ScheduledFuture<?> ticks;

        Sender(SseEmitter emitter, EventStream stream) {
            this.emitter = emitter;
            this.stream = stream;
        }

        synchronized void start() {
            long everyMs = stream.interval().toMillis();
            ticks = clock.scheduleAtFixedRate(this, everyMs, everyMs, TimeUnit.MILLISECONDS);
            emitter.onCompletion(() -> ticks.cancel(false));
        }

        @Override
        public synchronized void run() {
            try {
                emitter.send(EventStream.data(sent++));
                if (sent == stream.count()) {
                    ticks.cancel(false);
                    emitter.complete();
                }
            } catch (IOException | IllegalStateException gone) {
                ticks.cancel(false);
                emitter.completeWithError(gone);
            }
        }
    }
}
