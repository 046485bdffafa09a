package dev.springbench.reactive;

import dev.springbench.common.EventStream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;

/** Server-sent events. */
@RestController
class EventRoutes {

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> events(@RequestParam(defaultValue = "5") int count, @RequestParam(defaultValue = "1000") int everyMs) {
        EventStream stream = new EventStream(count, everyMs);
        // without a buffer an interval ends in an error where a reader is late
        return Flux.interval(stream.interval())
                .onBackpressureBuffer(stream.count(), late -> {}, BufferOverflowStrategy.DROP_LATEST)
                .take(stream.count())
                .map(EventStream::data);
    }
}
