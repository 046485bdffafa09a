package dev.springbench.common;

/**
 * A page of {@code /users}, by id.
 *
 * @param after the id before the first
 * @param size how many at most
 */
public record UserPage(int after, int size) {

    private static final int MOST = 100;
    private static final int LAST = 999_999_999;

    public UserPage {
        if (after < 0 || after > LAST || size < 1 || size > MOST) {
            throw new InvalidRequest("after must be a number from 0 to " + LAST + ", size from 1 to " + MOST);
        }
    }
}
