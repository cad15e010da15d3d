/* tests: stop_rule. The distance, the normalisation before it, and the patience. */
#include "test.h"

#include "fit/stop_rule.h"

TEST(distance_of_two_known_normals)
{
    od_gmm1d g = {.mean = {0, 3}, .var = {4, 25}}; /* deviations 2 and 5 */
    CHECK_NEAR(od_stop_wasserstein(&g, OD_DISTANCE_W2), 9 + 9, 1e-12);
    CHECK_NEAR(od_stop_wasserstein(&g, OD_DISTANCE_PAPER), 9 + 21 * 21, 1e-12);
}

/* Losses 10, 11, 19, 20 are 0, .1, .9, 1 after min-max: components (.05, .0025) and (.95, .0025), equally
 * wide. */
TEST(distance_of_four_losses)
{
    float loss[] = {19, 10, 20, 11};
    double scratch[8];
    CHECK_NEAR(od_stop_distance(loss, 4, OD_DISTANCE_PAPER, scratch), 0.81, 1e-6);
    CHECK_NEAR(od_stop_distance(loss, 4, OD_DISTANCE_W2, scratch), 0.81, 1e-6);
}

TEST(scale_of_the_losses_does_not_matter)
{
    float a[] = {1, 2, 3, 10, 12, 4, 2.5f}, b[7];
    double scratch[14];
    for (int i = 0; i < 7; i++) b[i] = a[i] * 8 - 64;
    CHECK_NEAR(od_stop_distance(a, 7, OD_DISTANCE_W2, scratch),
               od_stop_distance(b, 7, OD_DISTANCE_W2, scratch), 1e-9);
}

TEST(equal_losses_and_bad_losses)
{
    float same[] = {2, 2, 2}, bad[] = {1, NAN, 2}, inf[] = {1, INFINITY, 2};
    double scratch[6];
    CHECK(od_stop_distance(same, 3, OD_DISTANCE_PAPER, scratch) == 0);
    CHECK(isnan(od_stop_distance(bad, 3, OD_DISTANCE_PAPER, scratch)));
    CHECK(isnan(od_stop_distance(inf, 3, OD_DISTANCE_PAPER, scratch)));
}

TEST(patience)
{
    od_stop s = {.patience = 2};
    CHECK(od_stop_check(&s, 0.0, 10)); /* the first is a maximum even when it is 0 */
    CHECK(od_stop_check(&s, 0.3, 20));
    CHECK(!od_stop_check(&s, 0.3, 30)); /* equal is not new */
    CHECK(!od_stop_reached(&s));
    CHECK(od_stop_check(&s, 0.4, 40)); /* starts anew */
    CHECK(!od_stop_check(&s, NAN, 50));
    CHECK(!od_stop_reached(&s));
    CHECK(!od_stop_check(&s, 0.1, 60));
    CHECK(od_stop_reached(&s));
    CHECK_INT(s.best_update, 40);
    CHECK_NEAR(s.best, 0.4, 0);
}

int main(void)
{
    RUN(distance_of_two_known_normals);
    RUN(distance_of_four_losses);
    RUN(scale_of_the_losses_does_not_matter);
    RUN(equal_losses_and_bad_losses);
    RUN(patience);
    return test_end();
}
