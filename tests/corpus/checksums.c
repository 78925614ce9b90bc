/* Cyclic redundancy checks and parities. */
#include "data.h"

static uint32_t crc_table[256];

void crc_init(void)
{
#pragma scop
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        crc_table[i] = c;
    }
#pragma endscop
}

uint32_t crc_update(uint32_t crc, const uint8_t *buf, size_t len)
{
    crc = ~crc;
#pragma scop
    for (size_t i = 0; i < len; i++)
        crc = crc_table[(crc ^ buf[i]) & 0xff] ^ (crc >> 8);
#pragma endscop
    return ~crc;
}

uint16_t crc16_bits(const uint8_t *data, int len)
{
    uint16_t crc = 0xffff;
#pragma scop
    for (int i = 0; i < len; i++) {
        crc ^= (uint16_t)(data[i] << 8);
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 0x8000)
                crc = (uint16_t)((crc << 1) ^ 0x1021);
            else
                crc = (uint16_t)(crc << 1);
        }
    }
#pragma endscop
    return crc;
}

/* One parity byte for each column and one for each row of a block. */
void parity_block(const uint8_t *block, int rows, int cols, uint8_t *row_parity,
                  uint8_t *col_parity)
{
    memset(col_parity, 0, cols);
#pragma scop
    for (int r = 0; r < rows; r++) {
        uint8_t p = 0;
        for (int c = 0; c < cols; c++) {
            p ^= block[r * cols + c];
            col_parity[c] ^= block[r * cols + c];
        }
        row_parity[r] = p;
    }
#pragma endscop
}

int main(void)
{
    crc_init();
    data_show("table", 0, crc_table, sizeof crc_table);
    DATA_EACH(n) {
        uint8_t *p = data_bytes(n * 9);
        printf("%08x %04x\n", (unsigned)crc_update(0, p, n), crc16_bits(p, n));
        uint8_t rows[128] = {0}, cols[16] = {0};
        parity_block(p, n, 9, rows, cols);
        data_show("rows", n, rows, sizeof rows);
        data_show("cols", n, cols, sizeof cols);
    }
}
