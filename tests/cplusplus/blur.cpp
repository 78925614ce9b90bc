// A box blur of a picture of bytes, as a function with references.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace picture {

constexpr int RADIUS = 2;

void blur(const std::uint8_t *in, std::uint8_t *out, const int &width, const int &height)
{
#pragma scop
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int sum = 0;
            for (int dy = -RADIUS; dy <= RADIUS; ++dy)
                for (int dx = -RADIUS; dx <= RADIUS; ++dx) {
                    const int yy = std::min(std::max(y + dy, 0), height - 1);
                    const int xx = std::min(std::max(x + dx, 0), width - 1);
                    sum += in[yy * width + xx];
                }
            out[y * width + x] = static_cast<std::uint8_t>(sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1)));
        }
    }
#pragma endscop
}

} // namespace picture

int main()
{
    const int width = 37, height = 23;
    std::vector<std::uint8_t> in(width * height), out(width * height);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<std::uint8_t>(i * 37 + i / 7);
    picture::blur(in.data(), out.data(), width, height);
    for (std::uint8_t b : out)
        std::printf("%d\n", b);
}
