package dev.springbench.common;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpHeaders;

/**
 * What filters and handlers do with headers, through Spring's own view of them. How often each is done comes with the
 * request, so that each has its own price.
 *
 * @param gets how often a first value is asked for by its name
 * @param lists how often all values are asked for by their name
 * @param walks how often all headers are gone through
 * @param sets how many headers the answer gets
 */
public record HeaderUse(int gets, int lists, int walks, int sets) {

    private static final int MOST = 100;
    private static final int SENT = 30;
    private static final String PREFIX = "X-Value-";
    private static final String ANSWERED = "X-Answer-";
    private static final String[] NAMES = names(PREFIX, SENT);
    private static final String[] ANSWERED_NAMES = names(ANSWERED, MOST);

    public HeaderUse {
        for (int each : new int[] {gets, lists, walks, sets}) {
            if (each < 0 || each > MOST) {
                throw new InvalidRequest("gets, lists, walks and sets must be numbers from 0 to " + MOST);
            }
        }
    }

    /** @return how many characters were read */
    public String on(HttpHeaders request, HttpHeaders response) {
        AtomicInteger characters = new AtomicInteger();
        for (int i = 0; i < gets; i++) {
            String value = request.getFirst(NAMES[i % SENT]);
            characters.addAndGet(value == null ? 0 : value.length());
        }
        for (int i = 0; i < lists; i++) {
            for (String value : request.getValuesAsList(NAMES[i % SENT])) {
                characters.addAndGet(value.length());
            }
        }
        for (int i = 0; i < walks; i++) {
            request.forEach((name, values) -> {
                // what a client or a protocol adds is not the same everywhere
                if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
                    values.forEach(value -> characters.addAndGet(value.length()));
                }
            });
        }
        for (int i = 0; i < sets; i++) {
            response.set(ANSWERED_NAMES[i], "value");
        }
        return characters + " characters read";
    }

    private static String[] names(String prefix, int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = "%s%02d".formatted(prefix, i + 1);
        }
        return names;
    }
}
